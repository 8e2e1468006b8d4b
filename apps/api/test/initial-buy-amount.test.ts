import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { initialBuyAmount } from '../src/features/tokens/initial-buy-amount.ts'

describe('a first buy', () => {
  it.each([undefined, '', '  ', '0', ' 0 ', '0.', '.0', '0.000', '0'.repeat(40), 0, -0])('is none for %j', (value) => {
    expect(initialBuyAmount.parse(value)).toBeUndefined()
  })

  it.each([
    [0.0000001, '0.0000001'],
    [1.5, '1.5'],
    ['1.5', '1.5'],
    [' .5 ', '0.5'],
    [1e-9, '0.000000001'],
    [1e10, '10000000000'],
  ])('of %j is %s SOL', (value, sol) => {
    expect(initialBuyAmount.parse(value)?.toFixed()).toBe(sol)
  })

  it('is the same as a number and as its text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (lamports) => {
        const text = `${Math.floor(lamports / 1e9)}.${String(lamports % 1e9).padStart(9, '0')}`
        const number = Number(text)
        expect(initialBuyAmount.parse(number)?.toFixed()).toBe(initialBuyAmount.parse(text)?.toFixed())
      }),
    )
  })
})
