import { initialBuyAmount, solAmount, tokenAmount } from '@papermoon/contract/amounts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('a first buy', () => {
  it.each([undefined, '', '  ', '0', ' 0 ', '0.', '.0', '0.000', '0'.repeat(40), 0, -0])(
    'does not happen for %j',
    (value) => {
      expect(initialBuyAmount.parse(value)).toBeUndefined()
    },
  )

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

  it('is the same for a number and a text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (lamports) => {
        const text = `${Math.floor(lamports / 1e9)}.${String(lamports % 1e9).padStart(9, '0')}`
        const number = Number(text)
        expect(initialBuyAmount.parse(number)?.toFixed()).toBe(initialBuyAmount.parse(text)?.toFixed())
      }),
    )
  })
})

describe('the amount of a trade', () => {
  it.each([
    [1.5, '1.5'],
    ['1.5', '1.5'],
    [1e-7, '0.0000001'],
    [0.1 + 0.2, '0.3'],
    [' .5 ', '0.5'],
  ])('of %j is %s SOL, as that of a first buy', (sent, sol) => {
    expect(solAmount.parse(sent).toFixed()).toBe(sol)
    expect(initialBuyAmount.parse(sent)?.toFixed()).toBe(sol)
  })

  it('can also be a number or text for tokens', () => {
    expect([1.5, '1.5', 1_000_000_000].map((sent) => tokenAmount.parse(sent).toFixed())).toEqual([
      '1.5',
      '1.5',
      '1000000000',
    ])
  })

  it.each([undefined, null, '', 0, -1, 1e-10, 1e21, Number.NaN, true, [], {}])('cannot be %j', (sent) => {
    expect(solAmount.safeParse(sent).success).toBe(false)
  })
})
