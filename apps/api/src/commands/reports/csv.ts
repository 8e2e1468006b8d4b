/** Where a spreadsheet may begin a cell: at the start, and after what some take for a separator. */
const FORMULA_START = /(^|[;,|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/g
const LINE_END = '\r\n'

/**
 * Rows as CSV (RFC 4180), each line ended. Players choose names and wallets, and operators open the file with a
 * spreadsheet: what it would take for a formula gets an apostrophe before it, and texts stand in quotes.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map(cell).join(',') + LINE_END).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  return `"${harmless(value).replaceAll('"', '""')}"`
}

function harmless(text: string): string {
  const quoted = text.replace(FORMULA_START, "$1$2'")
  return /^[\t\r\n]/.test(quoted) ? `'${quoted}` : quoted
}
