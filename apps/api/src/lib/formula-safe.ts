/**
 * Matches positions at which spreadsheets look for a formula: at the start of a cell, and after characters that some
 * read as separators.
 */
const FORMULA_START = /(^|[;,|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/g

/**
 * Escapes a text for a CSV file. Players choose names and wallets, and people open the file in a spreadsheet. The
 * function therefore adds an apostrophe before everything that could be read as a formula.
 */
export function escapeFormulas(text: string): string {
  const escaped = text.replace(FORMULA_START, "$1$2'")
  return /^[\t\r\n]/.test(escaped) ? `'${escaped}` : escaped
}
