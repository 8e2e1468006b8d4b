import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cashOutValue, Decimal, quoteBuy, quoteSell, realSol, SOL_MAX, type Sol, SUPPLY } from '../src/index.ts'
import { anyPool, anySol, anyTokens, attempt, outside, tradedPool } from './arbitraries.ts'
import { type Action, act, anyAction, findBag, type Market, newMarket, PLAYERS, playerAt } from './books-market.ts'

const ZERO = new Decimal(0)

const sum = (amounts: readonly Decimal[]) => amounts.reduce((total, amount) => total.add(amount), ZERO)

/** Runs random actions of several players and calls `check` after each. */
function forEveryStep(check: (before: Market, after: Market, action: Action) => void): void {
  fc.assert(
    fc.property(fc.array(anyAction(fc.nat(PLAYERS - 1)), { minLength: 1, maxLength: 30 }), (actions) => {
      actions.reduce((before, action) => {
        const after = act(before, action)
        check(before, after, action)
        return after
      }, newMarket())
    }),
    { numRuns: 200 },
  )
}

describe('a market of several players', () => {
  it('accounts for every lamport and every micro-token, and never pays out more than was paid in', () => {
    forEveryStep((_, { players, tokens, treasury }) => {
      for (const { pool } of tokens) expect(realSol(pool).gte(0)).toBe(true)
      const sol = [...players.map(({ balance }) => balance), ...tokens.map(({ pool }) => realSol(pool)), treasury]
      expect(sum(sol).toFixed()).toBe(sum(players.map(({ granted }) => granted)).toFixed())
      for (const { pool, bags } of tokens)
        expect(sum([pool.tokens, ...bags.map(({ amount }) => amount)]).toFixed()).toBe(SUPPLY.toFixed())
    })
  })

  it('has no order that raises its player’s balance plus cash-out value', () => {
    forEveryStep((before, after, { kind, player }) => {
      // A rug pull and a reset are left out: the first pays what others paid in, and the second is a grant.
      if (kind !== 'rug' && kind !== 'reset') expect(wealth(after, player).lte(wealth(before, player))).toBe(true)
    })
  })

  it('can always cash out every player completely without touching the virtual SOL', () => {
    fc.assert(
      fc.property(tradedPool, (pool) => {
        const end = quoteSell(pool, outside(pool)).pool
        expect(end.tokens.eq(SUPPLY)).toBe(true)
        expect(end.sol.gte(end.virtualSol)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

function wealth(market: Market, player: number): Sol {
  const bags = market.tokens.map(({ pool }, place) => cashOutValue(pool, findBag(market, place, player).amount))
  return sum([playerAt(market, player).balance, ...bags])
}

describe('the product of the reserves', () => {
  it('never falls with a buy', () => {
    fc.assert(
      fc.property(anyPool, anySol, (pool, sol) => {
        const after = attempt(() => quoteBuy(pool, sol))?.pool ?? pool
        expect(after.sol.mul(after.tokens).gte(pool.sol.mul(pool.tokens))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('never falls with a sale', () => {
    fc.assert(
      fc.property(anyPool, anyTokens, (pool, tokens) => {
        const after = attempt(() => quoteSell(pool, tokens))?.pool ?? pool
        expect(after.sol.mul(after.tokens).gte(pool.sol.mul(pool.tokens))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('splitting an order', () => {
  it('never buys more tokens than the whole', () => {
    fc.assert(
      fc.property(anyPool, anySol, cuts(), (pool, sol, parts) => {
        // Skip orders that do not fit the column as a whole, because then there is nothing to compare.
        fc.pre(pool.sol.add(sol).lte(SOL_MAX))
        const whole = attempt(() => quoteBuy(pool, sol))?.tokensOut ?? ZERO
        const split = splitAmount(sol, parts, 9).reduce(
          (state, part) => {
            const quote = attempt(() => quoteBuy(state.pool, part))
            return quote === undefined ? state : { pool: quote.pool, out: state.out.add(quote.tokensOut) }
          },
          { pool, out: ZERO },
        )
        expect(split.out.lte(whole)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('never pays more SOL for tokens than the whole', () => {
    fc.assert(
      fc.property(tradedPool, fc.integer({ min: 1, max: 1_000 }), cuts(), (pool, thousandths, parts) => {
        const tokens = outside(pool).mul(thousandths).div(1_000).toDecimalPlaces(6)
        const split = splitAmount(tokens, parts, 6).reduce(
          (state, part) => {
            const quote = attempt(() => quoteSell(state.pool, part))
            return quote === undefined ? state : { pool: quote.pool, out: state.out.add(quote.solOut) }
          },
          { pool, out: ZERO },
        )
        expect(split.out.lte(quoteSell(pool, tokens).solOut)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Generates where to split an order, in thousandths of the rest. */
function cuts(): fc.Arbitrary<number[]> {
  return fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 6 })
}

/** Splits `amount` into parts that add up to it. */
function splitAmount(amount: Decimal, parts: readonly number[], decimals: number): Decimal[] {
  let left = amount
  const result = parts.map((thousandths) => {
    const part = left.mul(thousandths).div(1_000).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
    left = left.sub(part)
    return part
  })
  return [...result, left]
}
