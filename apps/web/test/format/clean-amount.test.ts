import { expect, it } from 'vitest'
import { cleanAmount, toTypedAmount, typeAmount } from '../../src/lib/format/clean-amount.ts'

it.each([
  ['1.5', '1.5'],
  ['1,5', '1.5'],
  ['1,', '1.'],
  [',5', '0.5'],
  ['.', '0.'],
  ['', ''],
  ['007', '7'],
  ['0.50', '0.50'],
  ['1,234.56', '1234.56'],
  ['1.234,56', '1234.56'],
  ['1,234,567', '1234567'],
  ['0.500,5', '0.5005'],
  ['12345.678,9', '12345.6789'],
  ['1.234.567', '1234567'],
  ["1'234.5", '1234.5'],
  [' 1\u00a0234,5 SOL', '1234.5'],
  ['12abc', '12'],
  ['1.5.2', '1.52'],
  ['۱۲٫۵', '12.5'],
  ['١٢٫٥', '12.5'],
  ['१२.५', '12.5'],
  ['１２．５', '12.5'],
  ['１２，５', '12.5'],
  ['𝟏𝟗.𝟓', '19.5'],
  ['๙๘๗', '987'],
  ['1٫5', '1.5'],
  ['۱۲٬۳۴۵٫۶', '12345.6'],
  ['12’345', '12345'],
  ['\u200f۱۲٫۵', '12.5'],
  ['5 €', '5'],
  ['$5', '5'],
  ['5%', '5'],
  ...['12·5', '12·', '12_000', '12/5', '1:5', '12;5', '2-3', '1+1', '5 SOL 3', '1x5', '12。5', '½ of 12½'].map(
    (text) => [text, 'before'],
  ),
])('reads %j as %j', (typed, amount) => {
  expect(cleanAmount(typed, 'before', 9)).toBe(amount)
})

it.each([
  ['1,234.5', '1234.5'],
  ['1.234,5', '1234.5'],
  ['1,234', '1.234'],
  ['1,234,567.5', '1234567.5'],
  ['0.12', '0.12'],
  ['1,234.', '1234.'],
  ['1.234.', '1.234'],
  ['1,234,', '1.234'],
  ['0.500.', '0.500'],
  ['0.500,', '0.500'],
  ['0,500.', '0.500'],
  ['12345.678.', '12345.678'],
  ['12345.678,', '12345.678'],
])('reads %j as %j while it is typed', (text, amount) => {
  expect(typeKeys('', text).value).toBe(amount)
})

it.each(['.', ','])('ignores a second decimal mark %j in an amount that a button filled in', (mark) => {
  expect(typeKeys('1.234', mark).value).toBe('1.234')
  expect(typeKeys('1.234', `${mark}5`).value).toBe('1.2345')
})

it('names the letter that was left out, until the field is empty or a button fills it in', () => {
  const typed = typeKeys('', '1k5')
  expect(typed).toMatchObject({ value: '15', leftOut: 'k' })
  expect(typeAmount(typed, '1', 9).leftOut).toBe('k')
  expect(typeAmount(typed, '', 9).leftOut).toBe('')
  expect(toTypedAmount('5').leftOut).toBe('')
})

it('reads a decimal point of another script key by key', () => {
  expect(typeKeys('', '۱۲٫۵').value).toBe('12.5')
  expect(typeKeys('', '1٫5').value).toBe('1.5')
})

it.each(['12·5', '1;5', '1e5', '1e', '1E-3', '-3', '−3', '-', '0x10'])(
  'rejects %j key by key: it stays in the field, without a value',
  (keys) => {
    expect(typeKeys('', keys)).toMatchObject({ value: '', refused: keys })
    expect(typeAmount(toTypedAmount('7'), keys, 9)).toMatchObject({ value: '', refused: keys })
  },
)

it('reads an amount again once the sign or letter is deleted', () => {
  expect(typeAmount(typeKeys('', '1e5'), '15', 9)).toMatchObject({ value: '15', refused: '' })
  expect(typeAmount(typeKeys('', '-3'), '3', 9)).toMatchObject({ value: '3', refused: '' })
  expect(typeAmount(toTypedAmount(''), '5 EUR', 9)).toMatchObject({ value: '5', refused: '' })
})

/** Types keys into a field that contains `start`. */
function typeKeys(start: string, keys: string) {
  return [...keys].reduce(
    (before, key) => typeAmount(before, (before.refused || before.value) + key, 9),
    toTypedAmount(start),
  )
}

it('truncates decimals that the unit does not have', () => {
  expect(cleanAmount('0.1234567899', '', 9)).toBe('0.123456789')
})

it('keeps the previous value if a number would change without its sign or letter', () => {
  expect(cleanAmount('1e5', '1', 9)).toBe('1')
  expect(cleanAmount('2E-3', '2', 9)).toBe('2')
  expect(cleanAmount('-3', '', 9)).toBe('')
  expect(cleanAmount(' −3', '2', 9)).toBe('2')
  expect(cleanAmount('0x10', '0', 9)).toBe('0')
  expect(cleanAmount('0X10', '', 9)).toBe('')
})

it('accepts at most 40 characters', () => {
  expect(cleanAmount('9'.repeat(41), '9', 9)).toBe('9')
})
