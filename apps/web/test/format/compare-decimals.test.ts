import { expect, it } from 'vitest'
import { compareDecimals } from '../../src/lib/format/compare-decimals.ts'

it.each([
  ['9', '10'],
  ['0.09', '0.1'],
  ['1', '1.000000000000000001'],
  ['99.9', '100'],
])('%s is smaller than %s', (smaller, larger) => {
  expect(compareDecimals(smaller, larger)).toBeLessThan(0)
  expect(compareDecimals(larger, smaller)).toBeGreaterThan(0)
})

it('treats numbers that differ only in zeros as equal', () => {
  expect(compareDecimals('1.5', '1.500')).toBe(0)
  expect(compareDecimals('2', '2.0')).toBe(0)
})
