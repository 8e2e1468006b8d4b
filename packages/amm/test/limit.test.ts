import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buyBound,
  computeReach,
  Decimal,
  FILL_MIN,
  launchPool,
  type Pool,
  quoteBuy,
  quoteSell,
  SOL_MAX,
  saleBound,
  solUntil,
  spotPrice,
  TOKENS_MAX,
  tokensUntil,
} from '../src/index.ts'

const LAUNCHED = launchPool().sol.mul(launchPool().tokens)

/**
 * Generates a pool that trading can reach from a launch. Its SOL goes up to a million, where a token costs 33 SOL and
 * even a micro-token matters.
 */
const anyReached: fc.Arbitrary<Pool> = fc
  .tuple(fc.double({ min: Math.log(31), max: Math.log(1e6), noNaN: true }), fc.nat(1_000_000_000))
  .map(([size, dust]) => {
    const sol = new Decimal(Math.exp(size).toFixed(3)).add(new Decimal(dust).div(1e9).toDecimalPlaces(9))
    return { sol, virtualSol: new Decimal(30), tokens: LAUNCHED.div(sol).toDecimalPlaces(6, Decimal.ROUND_UP) }
  })

/** Generates a factor for the price: close to 1, up to thirty times as much or down to about a tenth. */
const anyFactor = fc
  .tuple(fc.double({ min: -16, max: 3.4, noNaN: true }), fc.boolean())
  .map(([size, isMore]) => new Decimal(1 + (isMore ? 1 : -0.9 / 31) * Math.exp(size)))

const anyShare = fc.double({ min: 0, max: 1, noNaN: true })

const between = (least: Decimal, most: Decimal, share: number, decimals: number) =>
  least.add(most.sub(least).mul(share)).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)

describe('a buy up to a bound', () => {
  it('never pays more than its price on average, nor moves the price past the bound', () => {
    let filled = 0
    fc.assert(
      fc.property(anyReached, anyFactor, anyShare, (pool, factor, share) => {
        const price = spotPrice(pool).div('0.997').mul(factor).toDecimalPlaces(18, Decimal.ROUND_DOWN)
        const bound = buyBound(price)
        if (bound.lt(computeReach(pool).buysFrom)) return
        filled++
        const most = solUntil(pool, bound, SOL_MAX)
        expect(most.gte(FILL_MIN)).toBe(true)
        const quote = quoteBuy(pool, between(FILL_MIN, most, share, 9))
        expect(quote.solIn.lte(price.mul(quote.tokensOut))).toBe(true)
        expect(quote.pool.sol.lte(bound.mul(quote.pool.tokens))).toBe(true)
      }),
      { numRuns: 3_000 },
    )
    expect(filled).toBeGreaterThan(500)
  })

  it('uses all the SOL that fits: three lamports more would exceed the bound, and a smaller amount is spent completely', () => {
    fc.assert(
      fc.property(anyReached, anyFactor, (pool, factor) => {
        const bound = spotPrice(pool).mul(factor).toDecimalPlaces(18)
        if (bound.lt(computeReach(pool).buysFrom)) return
        const { sol } = quoteBuy(pool, solUntil(pool, bound, SOL_MAX).add('0.000000003')).pool
        expect(sol.mul(sol).gt(pool.sol.mul(pool.tokens).mul(bound))).toBe(true)
        expect(solUntil(pool, bound, FILL_MIN).eq(FILL_MIN)).toBe(true)
      }),
    )
  })
})

describe('a sale down to a bound', () => {
  it('never brings less than its price on average, nor moves the price past the bound', () => {
    let filled = 0
    fc.assert(
      fc.property(anyReached, anyFactor, anyShare, (pool, factor, share) => {
        const price = spotPrice(pool).mul('0.997').div(factor).toDecimalPlaces(18, Decimal.ROUND_DOWN)
        const bound = saleBound(price)
        if (bound.gt(computeReach(pool).salesTo)) return
        const most = Decimal.min(tokensUntil(pool, bound, TOKENS_MAX), new Decimal(1_000_000_000).sub(pool.tokens))
        const least = FILL_MIN.div(bound).toDecimalPlaces(6, Decimal.ROUND_UP)
        if (most.lt(least)) return
        filled++
        const quote = quoteSell(pool, between(least, most, share, 6))
        expect(quote.solOut.gte(price.mul(quote.tokensIn))).toBe(true)
        expect(quote.pool.sol.gte(bound.mul(quote.pool.tokens))).toBe(true)
      }),
      { numRuns: 3_000 },
    )
    expect(filled).toBeGreaterThan(500)
  })

  it('sells all the tokens that fit: a millionth more would exceed the bound', () => {
    fc.assert(
      fc.property(anyReached, anyFactor, (pool, factor) => {
        const bound = spotPrice(pool).div(factor).toDecimalPlaces(18, Decimal.ROUND_UP)
        if (bound.gt(computeReach(pool).salesTo)) return
        const tokens = pool.tokens.add(tokensUntil(pool, bound, TOKENS_MAX)).add('0.000001')
        expect(pool.sol.mul(pool.tokens).lt(tokens.mul(tokens).mul(bound))).toBe(true)
      }),
    )
  })
})

describe('a bound', () => {
  it('is rounded down for a buy and up for a sale, so that rounding never costs the player anything', () => {
    const least = new Decimal('1e-18')
    expect([buyBound(least).toFixed(), saleBound(least).toFixed()]).toEqual(['0', '0.000000000000000002'])
  })
})

describe('the reach of a pool', () => {
  it('starts beyond the spot price and leaves room for the smallest fill on both sides', () => {
    fc.assert(
      fc.property(anyReached, (pool) => {
        const { buysFrom, salesTo } = computeReach(pool)
        const spot = spotPrice(pool)
        expect(buysFrom.gt(spot) && salesTo.lt(spot)).toBe(true)
        expect(solUntil(pool, buysFrom, SOL_MAX).gte(FILL_MIN)).toBe(true)
        expect(pool.sol.sub(pool.sol.mul(pool.tokens).mul(salesTo).sqrt()).gte(FILL_MIN)).toBe(true)
      }),
    )
  })
})
