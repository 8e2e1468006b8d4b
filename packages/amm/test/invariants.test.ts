import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cashOutValue,
  Decimal,
  launchPool,
  type Pool,
  quoteBuy,
  quoteSell,
  realSol,
  SOL_MAX,
  type Sol,
  SUPPLY,
  type Tokens,
} from '../src/index.ts'
import {
  anyOrder,
  anyPool,
  anySol,
  anyTokens,
  attempt,
  type Order,
  orderSol,
  orderTokens,
  outside,
  PLAYERS,
  tradedPool,
} from './arbitraries.ts'

const ZERO = new Decimal(0)
const GRANTED_EACH = new Decimal(100)

type Player = { readonly balance: Sol; readonly held: Tokens }
type Market = { readonly pool: Pool; readonly treasury: Sol; readonly players: readonly Player[] }

function newMarket(): Market {
  return {
    pool: launchPool(),
    treasury: ZERO,
    players: Array.from({ length: PLAYERS }, () => ({ balance: GRANTED_EACH, held: ZERO })),
  }
}

function findPlayer(market: Market, order: Order): Player {
  const player = market.players[order.player]
  if (player === undefined) throw new Error('no such player')
  return player
}

/** The market after `order`; the same object if the order is refused. */
function trade(market: Market, order: Order): Market {
  const player = findPlayer(market, order)
  return attempt(() => (order.side === 'buy' ? bought(market, order, player) : sold(market, order, player))) ?? market
}

function bought(market: Market, order: Order, player: Player): Market {
  const quote = quoteBuy(market.pool, Decimal.min(player.balance, orderSol(order, player.balance)))
  const after = { balance: player.balance.sub(quote.solIn), held: player.held.add(quote.tokensOut) }
  return {
    pool: quote.pool,
    treasury: market.treasury.add(quote.fee),
    players: market.players.with(order.player, after),
  }
}

function sold(market: Market, order: Order, player: Player): Market {
  const quote = quoteSell(market.pool, orderTokens(order, player.held))
  const after = { balance: player.balance.add(quote.solOut), held: player.held.sub(quote.tokensIn) }
  return {
    pool: quote.pool,
    treasury: market.treasury.add(quote.fee),
    players: market.players.with(order.player, after),
  }
}

function total(market: Market, field: keyof Player): Decimal {
  return market.players.reduce((sum, player) => sum.add(player[field]), ZERO)
}

/** Runs random orders of several players and calls `check` after each. */
function forEveryStep(check: (before: Market, after: Market, order: Order) => void): void {
  fc.assert(
    fc.property(fc.array(anyOrder, { minLength: 1, maxLength: 30 }), (orders) => {
      orders.reduce((before, order) => {
        const after = trade(before, order)
        check(before, after, order)
        return after
      }, newMarket())
    }),
    { numRuns: 200 },
  )
}

describe('a market of several players', () => {
  it('never pays out more than all players paid in', () => {
    forEveryStep((_, { pool, players }) => {
      const taken = total({ ...newMarket(), players }, 'balance').sub(GRANTED_EACH.mul(PLAYERS))
      expect(taken.lte(0)).toBe(true)
      expect(realSol(pool).gte(0)).toBe(true)
    })
  })

  it('keeps every lamport and every micro-token accounted for', () => {
    forEveryStep((_, market) => {
      const sol = total(market, 'balance').add(realSol(market.pool)).add(market.treasury)
      expect(sol.toFixed()).toBe(GRANTED_EACH.mul(PLAYERS).toFixed())
      expect(total(market, 'held').add(market.pool.tokens).toFixed()).toBe(SUPPLY.toFixed())
    })
  })

  it('has no order that raises its player’s balance plus cash-out value', () => {
    forEveryStep((before, after, order) => {
      expect(wealth(after, order).lte(wealth(before, order))).toBe(true)
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

function wealth(market: Market, order: Order): Sol {
  const { balance, held } = findPlayer(market, order)
  return balance.add(cashOutValue(market.pool, held))
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
        // Nothing to compare if the whole does not fit its column, although its parts may.
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

/** Where to split an order, in thousandths of the rest. */
function cuts(): fc.Arbitrary<number[]> {
  return fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 6 })
}

/** Parts of `amount` that add up to it. */
function splitAmount(amount: Decimal, parts: readonly number[], decimals: number): Decimal[] {
  let left = amount
  const result = parts.map((thousandths) => {
    const part = left.mul(thousandths).div(1_000).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
    left = left.sub(part)
    return part
  })
  return [...result, left]
}
