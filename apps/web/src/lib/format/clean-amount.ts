import { toPlainDigits } from './plain-digits.ts'

const CHARS_MAX = 40
/** One mark before every three digits, and no leading zero. */
const THOUSANDS = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/

/** Negative, hexadecimal or with an exponent, finished or not: without its sign or letter it would be another number. */
const OTHER_NOTATION = /^\s*[-−]|^\s*0\s*x|\d\s*e[\s+\-−]*(?:\d|$)/i
/** A sign after a digit that is no mark of a number, as in `12·5`. A letter, a currency or % may stand there. */
const UNKNOWN_MARK = /\d\s*[^\d\s.,'’%\p{L}\p{Sc}]/u
const NUMBER = /\d[\d\s.,'’]*/g

export interface TypedAmount {
  readonly value: string
  /** The typed digits and marks: once the value shows `1.234`, only this says whether a comma was typed. */
  readonly marks: string
  /** A sign or letter that was left out, or empty: `12a` becomes 12. */
  readonly leftOut: string
  /** Text that is no plain number, or empty. The field goes on showing it, and its value is empty. */
  readonly refused: string
}

/** An amount that was not typed. Its point is a decimal mark, which the leading zero tells. */
export function toTypedAmount(value: string): TypedAmount {
  return { value, marks: value === '' ? '' : `0${value}`, leftOut: '', refused: '' }
}

/** The amount after the field's text became `typed`. */
export function typeAmount(before: TypedAmount, written: string, decimals: number): TypedAmount {
  const typed = toPlainDigits(written)
  if (isUnreadable(typed)) return { value: '', marks: '', leftOut: '', refused: written.slice(0, CHARS_MAX) }
  const isAdded = before.refused === '' && typed.startsWith(before.value)
  const text = isAdded ? before.marks + typed.slice(before.value.length) : typed
  const value = cleanAmount(text, before.value, decimals)
  const [odd = ''] = /[^\d.,\s'’]/.exec(typed) ?? []
  const leftOut = value === '' && odd === '' ? '' : odd || before.leftOut
  const isKept = value === before.value && odd !== ''
  return { value, marks: isKept ? before.marks : text.replace(/[^\d.,]/g, ''), leftOut, refused: '' }
}

/**
 * The new value of an amount field after `typed` was typed or pasted: digits with at most one `.` and at most
 * `decimals` decimals, otherwise exact. A comma is a decimal mark unless it clearly groups thousands (`1,234.5`,
 * `1,234,567`); of further points and commas, all but the first are ignored. Spaces and apostrophes are dropped. Unknown
 * marks, several numbers, other notations and text that is too long return `previous`.
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

/** Index of the decimal mark in a text of digits, points and commas; -1 for none. */
function decimalMarkAt(marks: string): number {
  const first = marks.search(/[.,]/)
  const last = Math.max(marks.lastIndexOf('.'), marks.lastIndexOf(','))
  if (first === last) return first
  const isOther = marks.indexOf(marks.charAt(last)) === last
  if (!isOther) return THOUSANDS.test(marks) ? -1 : first
  return THOUSANDS.test(marks.slice(0, last)) ? last : first
}
