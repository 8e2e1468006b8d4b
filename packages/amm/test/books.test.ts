import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cashOutValue,
  Decimal,
  gainBetween,
  launchPool,
  netWorth,
  quoteBuy,
  rugPool,
  type Sol,
  stakeWorth,
  unrealizedProfit,
} from '../src/index.ts'
import {
  type Action,
  ALONE,
  abandonedMarket,
  act,
  anyAction,
  findBag,
  findStakes,
  type Market,
  newMarket,
  PLAYERS,
  playerAt,
  takenOut,
} from './books-market.ts'

const RUNS = { numRuns: 200 }
const ZERO = new Decimal(0)

describe('a player who is alone', () => {
  it('can never make a profit or own more than was granted', () => {
    const actions = fc.array(anyAction(fc.constant(ALONE)), { minLength: 1, maxLength: 24, size: 'max' })
    const holds = (begin: Market, done: Action[]) => {
      expect(findBrokenAlone(begin, done)).toBeNull()
    }
    fc.assert(fc.property(abandonedMarket, actions, holds), RUNS)
  })

  it('loses exactly the fees by buying 40 SOL of their own token', () => {
    const { pool, tokensOut } = quoteBuy(launchPool(), new Decimal(40))
    const balance = new Decimal('59.98')
    expect(netWorth(balance, [{ pool, amount: tokensOut, isOwn: true }]).toFixed()).toBe('99.86')
    expect(unrealizedProfit(pool, { amount: tokensOut, cost: new Decimal(40) }).toFixed()).toBe('-0.239640001')
  })
})

describe('all players together', () => {
  it('can cash out exactly their net worths, in any order, and never more than was granted', () => {
    const actions = fc.array(anyAction(fc.nat(PLAYERS - 1)), { minLength: 1, maxLength: 30, size: 'max' })
    const order = fc.shuffledSubarray([0, 1, 2], { minLength: PLAYERS })
    const holds = (done: Action[], players: number[]) => {
      const market = done.reduce(act, newMarket())
      expect(findBrokenTogether(market, players) ?? findBrokenSale(market)).toBeNull()
    }
    fc.assert(fc.property(actions, order, holds), RUNS)
  })
})

describe('a stake', () => {
  const { pool, tokensOut: amount } = quoteBuy(launchPool(), new Decimal(10))

  it('in another’s pool is worth what selling it pays', () => {
    expect(stakeWorth({ pool, amount, isOwn: false })).toEqual(cashOutValue(pool, amount))
  })

  it('in one’s own pool is worth the real SOL, with or without tokens held', () => {
    expect(stakeWorth({ pool, amount, isOwn: true }).toFixed()).toBe('9.97')
    expect(stakeWorth({ pool, amount: new Decimal(0), isOwn: true }).toFixed()).toBe('9.97')
  })

  it('is worth nothing after a rug pull', () => {
    const { pool: closed } = rugPool(pool)
    expect(stakeWorth({ pool: closed, amount, isOwn: true }).toFixed()).toBe('0')
    expect(stakeWorth({ pool: closed, amount, isOwn: false }).toFixed()).toBe('0')
  })
})

describe('a gain', () => {
  it('does not count granted SOL as profit, and is relative to start plus grants', () => {
    const span = { start: new Decimal(5), now: new Decimal(80), granted: new Decimal(95) }
    const { profit, base } = gainBetween(span)
    expect([profit.toFixed(), base.toFixed()]).toEqual(['-20', '100'])
  })
})

/** Continues alone from a market. Returns the first broken promise, or null. */
function findBrokenAlone(begin: Market, actions: readonly Action[]): string | null {
  const moments = [begin]
  for (const action of actions) {
    const market = act(moments.at(-1) ?? begin, action)
    const broken = findBrokenNow(market) ?? moments.map((start) => findBrokenSince(start, market)).find(Boolean)
    if (broken) return broken
    moments.push(market)
  }
  return null
}

function findBrokenNow(market: Market): string | null {
  const { balance, granted, realized } = playerAt(market, ALONE)
  const profits = market.tokens.map(({ pool }, place) => unrealizedProfit(pool, findBag(market, place, ALONE)))
  if (profits.some((profit) => profit.gt(0))) return 'an unrealized profit'
  const total = profits.reduce((sum, profit) => sum.add(profit), realized)
  if (total.gt(0)) return 'a total profit'
  return netWorth(balance, findStakes(market, ALONE)).gt(granted) ? 'a net worth above what was granted' : null
}

function findBrokenSince(before: Market, after: Market): string | null {
  const computeWorth = (market: Market) => netWorth(playerAt(market, ALONE).balance, findStakes(market, ALONE))
  const granted = playerAt(after, ALONE).granted.sub(playerAt(before, ALONE).granted)
  const now = computeWorth(after)
  const { profit, base } = gainBetween({ start: computeWorth(before), now, granted })
  if (profit.gt(0)) return 'a profit of a day'
  // A loss can never exceed its base.
  return profit.add(base).eq(now) ? null : 'a percentage of something else'
}

/** Lets all players cash out one after another. Returns the first broken promise, or null. */
function findBrokenTogether(market: Market, order: readonly number[]): string | null {
  let rest = market
  let sum = ZERO
  for (const player of order) {
    const promised = netWorth(playerAt(rest, player).balance, findStakes(rest, player))
    if (anyWay(rest, player).some((paid) => paid.gt(promised))) return 'more was paid than the net worth'
    rest = takenOut(rest, player)
    if (!playerAt(rest, player).balance.eq(promised)) return 'the net worth was not what was paid'
    sum = sum.add(promised)
  }
  const granted = market.players.reduce((all, player) => all.add(player.granted), ZERO)
  return sum.gt(granted) ? 'more than was granted' : null
}

/** Returns a player's balances after other ways to cash out: selling parts of each holding before rugging. */
function anyWay(market: Market, player: number): Sol[] {
  return [1_000, 700, 1].map((thousandths) => {
    const sales = market.tokens.map((_, place): Action => ({ kind: 'sell', player, token: place, part: thousandths }))
    return playerAt(takenOut(sales.reduce(act, market), player), player).balance
  })
}

/**
 * Checks that the unrealized profit of every holding equals what selling it realizes. Returns the first broken promise,
 * or null.
 */
function findBrokenSale(market: Market): string | null {
  for (const [place, { pool, bags }] of market.tokens.entries()) {
    for (const [player, bag] of bags.entries()) {
      const after = act(market, { kind: 'sell', player, token: place, part: 1_000 })
      if (after === market) continue
      const realized = playerAt(after, player).realized.sub(playerAt(market, player).realized)
      if (!unrealizedProfit(pool, bag).eq(realized)) return 'the unrealized profit was not what the sale realized'
    }
  }
  return null
}
