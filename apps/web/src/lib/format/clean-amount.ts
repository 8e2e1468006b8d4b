import { toPlainDigits } from './plain-digits.ts'

const CHARS_MAX = 40
/** Matches a number with one separator before every three digits and no leading zero. */
const THOUSANDS = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/

/**
 * Matches negative, hexadecimal and exponential numbers, even unfinished ones. Without the sign or letter, the text
 * would mean a different number.
 */
const OTHER_NOTATION = /^\s*[-−]|^\s*0\s*x|\d\s*e[\s+\-−]*(?:\d|$)/i
/**
 * Matches a character after a digit that is not part of a number, as in `12·5`. Letters, currency signs and % are
 * allowed after a digit.
 */
const UNKNOWN_MARK = /\d\s*[^\d\s.,'’%\p{L}\p{Sc}]/u
const NUMBER = /\d[\d\s.,'’]*/g

export interface TypedAmount {
  readonly value: string
  /**
   * The digits and separators that the player typed. Only this text shows whether the player typed `1.234` or `1,234`,
   * because the value is `1.234` in both cases.
   */
  readonly marks: string
  /** The sign or letter that was removed, such as the `a` when `12a` becomes 12, or empty if nothing was removed. */
  readonly leftOut: string
  /** The text if it is not a plain number, otherwise empty. The field still shows this text, but the value is empty. */
  readonly refused: string
}

/** Creates an amount that nobody typed. The leading zero in `marks` makes clear that the point is a decimal mark. */
export function toTypedAmount(value: string): TypedAmount {
  return { value, marks: value === '' ? '' : `0${value}`, leftOut: '', refused: '' }
}

/** Returns the amount after the field's text has become `written`. */
export function typeAmount(before: TypedAmount, written: string, decimals: number): TypedAmount {
  const typed = toPlainDigits(written)
  if (isUnreadable(typed)) return { value: '', marks: '', leftOut: '', refused: written.slice(0, CHARS_MAX) }
  const isAdded = before.refused === '' && typed.startsWith(before.value)
  const text = isAdded ? before.marks + typed.slice(before.value.length) : typed
  const value = cleanAmount(text, before.value, decimals)
  const [odd = ''] = /[^\d.,\s'’]/.exec(typed) ?? []
  const leftOut = value === '' && odd === '' ? '' : odd || before.leftOut
  const isUnchanged = value === before.value && odd !== ''
  return { value, marks: isUnchanged ? before.marks : text.replace(/[^\d.,]/g, ''), leftOut, refused: '' }
}

/**
 * Returns the new value of an amount field after `written` was typed or pasted: digits with at most one `.` and at most
 * `decimals` decimals. A comma is a decimal mark, unless it clearly groups thousands (`1,234.5`, `1,234,567`). Only the
 * first point or comma counts. Removes spaces and apostrophes. Returns `previous` for unknown characters, several
 * numbers, other notations and texts that are too long.
 */
export function cleanAmount(written: string, previous: string, decimals: number): string {
  const typed = toPlainDigits(written)
  if (isUnreadable(typed)) return previous
  const marks = typed.replace(/[^\d.,]/g, '')
  const at = decimalMarkAt(marks)
  const whole = (at === -1 ? marks : marks.slice(0, at)).replace(/\D/g, '')
  const fraction = at === -1 ? null : marks.slice(at + 1).replace(/\D/g, '')
  const cleaned = joined(whole, fraction, decimals)
  return cleaned.length > CHARS_MAX ? previous : cleaned
}

function isUnreadable(typed: string): boolean {
  return OTHER_NOTATION.test(typed) || UNKNOWN_MARK.test(typed) || (typed.match(NUMBER) ?? []).length > 1
}

function joined(whole: string, fraction: string | null, decimals: number): string {
  const leading = whole.replace(/^0+(?=\d)/, '')
  if (fraction === null || decimals === 0) return leading
  return `${leading || '0'}.${fraction.slice(0, decimals)}`
}

/**
 * Returns the index of the decimal mark in a text with digits, points and commas, or -1 if there is no decimal mark.
 */
function decimalMarkAt(marks: string): number {
  const first = marks.search(/[.,]/)
  const last = Math.max(marks.lastIndexOf('.'), marks.lastIndexOf(','))
  if (first === last) return first
  const isOther = marks.indexOf(marks.charAt(last)) === last
  if (!isOther) return THOUSANDS.test(marks) ? -1 : first
  return THOUSANDS.test(marks.slice(0, last)) ? last : first
}
