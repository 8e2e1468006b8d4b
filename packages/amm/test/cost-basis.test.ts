import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Decimal,
  InsufficientTokensError,
  NotPositiveError,
  type Position,
  positionAfterBuy,
  positionAfterSell,
} from '../src/index.ts'

const NONE: Position = { amount: new Decimal(0), cost: new Decimal(0) }
const MICRO = new Decimal('0.000001')

const anyTrade = fc.record({
  buys: fc.boolean(),
  tokens: fc.integer({ min: 1, max: 2_000_000_000 }).map((micros) => new Decimal(micros).mul(MICRO)),
  sol: fc.integer({ min: 0, max: 2_000_000_000 }).map((lamports) => new Decimal(lamports).mul('0.000000001')),
})

describe('average cost', () => {
  it('accounts for every lamport: cost paid equals cost removed plus cost held', () => {
    fc.assert(
      fc.property(fc.array(anyTrade, { minLength: 1, maxLength: 30 }), (trades) => {
        let position = NONE
        let [paid, received, removed, realized] = [NONE.cost, NONE.cost, NONE.cost, NONE.cost]
        for (const { buys, tokens, sol } of trades) {
          if (buys || position.amount.isZero()) {
            position = positionAfterBuy(position, tokens, sol)
            paid = paid.add(sol)
          } else {
            const sale = positionAfterSell(position, Decimal.min(tokens, position.amount), sol)
            position = sale.position
            received = received.add(sol)
            removed = removed.add(sale.costRemoved)
            realized = realized.add(sale.realizedPnl)
          }
          expect(position.cost.gte(0)).toBe(true)
          expect(position.cost.add(removed).eq(paid)).toBe(true)
          expect(realized.eq(received.sub(removed))).toBe(true)
          if (position.amount.isZero()) expect(position.cost.toFixed()).toBe('0')
        }
      }),
      { numRuns: 500 },
    )
  })

  it('rejects selling more than is held, or nothing', () => {
    expect(() => positionAfterSell(NONE, MICRO, new Decimal(1))).toThrow(InsufficientTokensError)
    const held = { amount: new Decimal(1), cost: new Decimal(1) }
    expect(() => positionAfterSell(held, new Decimal(1).add(MICRO), new Decimal(1))).toThrow(InsufficientTokensError)
    expect(() => positionAfterSell(held, new Decimal(0), new Decimal(1))).toThrow(NotPositiveError)
  })
})
