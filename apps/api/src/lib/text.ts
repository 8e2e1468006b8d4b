/** Formats a count with its noun, such as `1 token` or `2 tokens`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** Formats an age in whole hours. From two days on, formats it in days. */
export function describeAge(hours: number): string {
  if (hours < 1) return 'less than an hour'
  return hours < 48 ? counted(Math.floor(hours), 'hour') : counted(Math.floor(hours / 24), 'day')
}

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

/** Parses JSON. Returns null if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
