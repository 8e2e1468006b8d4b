/** Formats a count with its noun, such as `1 token` or `2 tokens`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** Formats an age in whole hours, or in whole days if it is at least two days. */
export function describeAge(hours: number): string {
  if (hours < 1) return 'less than an hour'
  return hours < 48 ? counted(Math.floor(hours), 'hour') : counted(Math.floor(hours / 24), 'day')
}

/**
 * Matches positions at which spreadsheets look for a formula: the start of a cell, and positions after characters that
 * some programs treat as separators.
 */
const FORMULA_START = /(^|[;,|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/g

/**
 * Escapes a text for a CSV file, because players choose names and wallets, and people open the file in a spreadsheet.
 * Adds an apostrophe before everything that a spreadsheet could treat as a formula.
 */
export function escapeFormulas(text: string): string {
  const escaped = text.replace(FORMULA_START, "$1$2'")
  return /^[\t\r\n]/.test(escaped) ? `'${escaped}` : escaped
}

/** Parses JSON. Returns null if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
