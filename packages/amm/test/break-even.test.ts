import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  breakEvenPrice,
  cashOutValue,
  Decimal,
  launchPool,
  type Pool,
  quoteBuy,
  rugPool,
  spotPrice,
} from '../src/index.ts'
import { outside, tradedPool } from './arbitraries.ts'

const LAMPORT = new Decimal('1e-9')
const NONE = new Decimal(0)

/** A pool, and a holding that is a part of the tokens outside it. Its cost is 1/20 to 20 times what it now pays. */
const anyHolding = fc
  .record({
    pool: tradedPool,
    part: fc.integer({ min: 1, max: 1_000_000 }),
    factor: fc.integer({ min: -3_000, max: 3_000 }).map((size) => new Decimal(Math.exp(size / 1_000))),
  })
  .map(({ pool, part, factor }) => {
    const amount = outside(pool).mul(part).div(1_000_000).toDecimalPlaces(6, Decimal.ROUND_DOWN)
    const paid = amount.isZero() ? NONE : cashOutValue(pool, amount)
    return { pool, position: { amount, cost: paid.mul(factor).toDecimalPlaces(9, Decimal.ROUND_UP) } }
  })
  // A holding worth less than 10,000 lamports would be all rounding.
  .filter(({ position }) => position.cost.gt('1e-5'))

/** The pool after trades that moved its spot price to `price`. */
function movePool({ sol, tokens }: Pool, price: Decimal): Pool {
  const product = sol.mul(tokens)
  const after = product.div(price).sqrt().toDecimalPlaces(6)
  return { sol: product.div(after).toDecimalPlaces(9), virtualSol: NONE, tokens: after }
}

describe('the break-even price', () => {
  it('is the price at which selling everything pays the cost', () => {
    fc.assert(
      fc.property(anyHolding, ({ pool, position }) => {
        const there = movePool(pool, breakEvenPrice(pool, position))
        const off = cashOutValue(there, position.amount).sub(position.cost).abs()
        // The fee and the payment round to a lamport, the reserves to a lamport and to a millionth of a token, and the
        // price to 18 decimals.
        const rounding = LAMPORT.div(there.sol).add(new Decimal('1e-6').div(there.tokens)).add('1e-9')
        expect(off.lte(LAMPORT.mul(3).add(position.cost.mul(rounding).mul(3)))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('is above the spot price exactly while selling everything now would lose', () => {
    let [losing, winning] = [0, 0]
    fc.assert(
      fc.property(anyHolding, ({ pool, position }) => {
        const profit = cashOutValue(pool, position.amount).sub(position.cost)
        if (profit.abs().lt(LAMPORT.mul(3))) return
        if (profit.isNegative()) losing++
        else winning++
        expect(breakEvenPrice(pool, position).gt(spotPrice(pool))).toBe(profit.isNegative())
      }),
      { numRuns: 500 },
    )
    expect(Math.min(losing, winning)).toBeGreaterThan(100)
  })

  it('is two fees above the price that the first buy has made, although the average cost is far below it', () => {
    const { pool, solIn, tokensOut } = quoteBuy(launchPool(), new Decimal(4))
    const position = { amount: tokensOut, cost: solIn }
    const spot = spotPrice(pool)
    expect(solIn.div(tokensOut).div(spot).lt('0.9')).toBe(true)
    expect(breakEvenPrice(pool, position).div(spot).toFixed(4)).toBe('1.0064')
  })

  it('is 0 if there is nothing to sell, nothing to earn back, or no pool to sell to', () => {
    const { pool } = quoteBuy(launchPool(), new Decimal(1))
    const one = new Decimal(1)
    expect(breakEvenPrice(pool, { amount: NONE, cost: NONE }).isZero()).toBe(true)
    expect(breakEvenPrice(pool, { amount: one, cost: NONE }).isZero()).toBe(true)
    expect(breakEvenPrice(rugPool(pool).pool, { amount: one, cost: one }).isZero()).toBe(true)
  })
})
