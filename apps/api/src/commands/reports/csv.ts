import { stringify } from 'csv-stringify/sync'

/** Where spreadsheets look for a formula: at the start of a cell, and after what some take for a separator. */
const FORMULA_START = /(^|[;,|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/g

/**
 * Formats rows as CSV (RFC 4180), text quoted. Players choose names and wallets, and operators open the file in a
 * spreadsheet: an apostrophe goes before everything that could be read as a formula.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return stringify([...rows], { quoted_string: true, record_delimiter: 'windows', cast: { string: escapeFormulas } })
}

function escapeFormulas(text: string): string {
  const escaped = text.replace(FORMULA_START, "$1$2'")
  return /^[\t\r\n]/.test(escaped) ? `'${escaped}` : escaped
}
