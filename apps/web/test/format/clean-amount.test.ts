import { expect, it } from 'vitest'
import { cleanAmount } from '../../src/lib/format/clean-amount.ts'

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
  ['1.234.567', '1234567'],
  ["1'234.5", '1234.5'],
  [' 1\u00a0234,5 SOL', '1234.5'],
  ['12abc', '12'],
  ['1.5.2', '1.52'],
])('reads %j as %j', (typed, amount) => {
  expect(cleanAmount(typed, 'before', 9)).toBe(amount)
})

it.each([
  ['1,234.5', '1234.5'],
  ['1.234,5', '1234.5'],
  ['1,234', '1.234'],
  ['1,234,567.5', '1234567.5'],
  ['0.12', '0.12'],
])('reads %j as %j while it is typed', (text, amount) => {
  const typed = [...text].reduce((before, key) => cleanAmount(before + key, before, 9), '')
  expect(typed).toBe(amount)
})

it('cuts decimals that the unit cannot hold', () => {
  expect(cleanAmount('0.1234567899', '', 9)).toBe('0.123456789')
})

it('keeps the previous value for a number that would change without its sign or letter', () => {
  expect(cleanAmount('1e5', '1', 9)).toBe('1')
  expect(cleanAmount('2E-3', '2', 9)).toBe('2')
  expect(cleanAmount('-3', '', 9)).toBe('')
  expect(cleanAmount(' −3', '2', 9)).toBe('2')
  expect(cleanAmount('0x10', '0', 9)).toBe('0')
  expect(cleanAmount('0X10', '', 9)).toBe('')
})

it('takes no more than 40 characters', () => {
  expect(cleanAmount('9'.repeat(41), '9', 9)).toBe('9')
})
