import { Decimal as DefaultDecimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatNumeric } from '../src/bounded-client.ts'

/** This Decimal has more digits than any column. */
const Decimal = DefaultDecimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 })

describe('formatNumeric', () => {
  it('formats every numeric as Decimal does', () => {
    const numeric = fc
      .tuple(fc.bigInt(-(10n ** 38n), 10n ** 38n), fc.nat(18), fc.nat(18))
      .map(([digits, scale, zeros]) => {
        const fraction = '0'.repeat(Math.min(zeros, 18 - scale))
        const text = new Decimal(digits.toString()).div(new Decimal(10).pow(scale)).toFixed(scale)
        return fraction === '' ? text : `${text}${scale === 0 ? '.' : ''}${fraction}`
      })
    fc.assert(
      fc.property(numeric, (text) => {
        expect(formatNumeric(text)).toBe(new Decimal(text).toFixed())
      }),
    )
  })

  it.each([
    ['0', '0'],
    ['0.000000000', '0'],
    ['100', '100'],
    ['100.000', '100'],
    ['1.050', '1.05'],
    ['-0.10', '-0.1'],
  ])('writes %s as %s', (numeric, figure) => {
    expect(formatNumeric(numeric)).toBe(figure)
  })
})
