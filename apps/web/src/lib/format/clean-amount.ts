const CHARS_MAX = 40

/**
 * The new value of an amount field after `typed` was typed or pasted: digits with at most one `.` and at most
 * `decimals` decimals, otherwise exact. A comma is a decimal mark unless it clearly groups thousands (`1,234.5`,
 * `1,234,567`). Spaces and apostrophes are dropped. Negative, hexadecimal and exponent forms return `previous`, because
 * dropping the sign or letter would change the number.
 */
export function cleanAmount(typed: string, previous: string, decimals: number): string {
  if (/^\s*[-−]|^\s*0\s*x|\d\s*e\s*[+-]?\d/i.test(typed)) return previous
  const marks = typed.replace(/[^\d.,]/g, '')
  const at = startsFraction(marks) ? marks.length - 1 : decimalMarkAt(marks)
  const whole = (at === -1 ? marks : marks.slice(0, at)).replace(/\D/g, '')
  const fraction = at === -1 ? null : marks.slice(at + 1).replace(/\D/g, '')
  const cleaned = joined(whole, fraction, decimals)
  return cleaned.length > CHARS_MAX ? previous : cleaned
}

function joined(whole: string, fraction: string | null, decimals: number): string {
  const leading = whole.replace(/^0+(?=\d)/, '')
  if (fraction === null || decimals === 0) return leading
  return `${leading || '0'}.${fraction.slice(0, decimals)}`
}

/**
 * Whether a mark was typed right after another and three digits: then that one grouped thousands. While one types
 * `1,234.5`, `1,234` reads 1.234 until the point comes.
 */
function startsFraction(marks: string): boolean {
  return /^\d+[.,]\d{3}[.,]$/.test(marks)
}

/** Index of the decimal mark in a text of digits, points and commas; -1 for none. */
function decimalMarkAt(marks: string): number {
  const points = marks.split('.').length - 1
  const commas = marks.split(',').length - 1
  if (points > 0 && commas > 0) return Math.max(marks.lastIndexOf('.'), marks.lastIndexOf(','))
  if (points + commas > 1) return groupsThousands(marks) ? -1 : marks.search(/[.,]/)
  return marks.search(/[.,]/)
}

function groupsThousands(marks: string): boolean {
  return /^\d{1,3}([.,]\d{3})+$/.test(marks)
}
