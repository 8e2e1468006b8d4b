import { cashOutValue, Decimal, launchPool, type Pool } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { QueryCache } from '../../src/cache/query-cache.ts'
import { getLeaderboard } from '../../src/features/leaderboard/get.ts'
import { type RankedPlayer, rankWinners } from '../../src/features/leaderboard/ranking/best-flows.ts'
import { findProfitSources, type Gain } from '../../src/features/leaderboard/ranking/profit-sources.ts'
import { rankEverybody } from '../../src/features/leaderboard/ranking/rank-everybody.ts'
import type { TradeWindow } from '../../src/features/leaderboard/store.ts'
import { createIdleFeed } from '../support/idle-feed.ts'
import { anyActions, play, shareTurnedMarket } from '../support/turned-market.ts'

const HOUR_MS = 3_600_000
const WINDOW_MS = 6 * HOUR_MS
const ZERO = new Decimal(0)

const market = await shareTurnedMarket()
beforeEach(() => {
  // Let the earlier trades fall out of the window.
  market.passTime(WINDOW_MS + 1)
})

const rolling = (): TradeWindow => ({ since: new Date(market.clock.now().getTime() - WINDOW_MS), until: null })
const rank = async (window = rolling(), places = 3) =>
  shown(await rankWinners(market.db, window, { most: places, who: 'people' }))
type Ranked = Omit<RankedPlayer, 'gains'>
const shown = (ranked: readonly Ranked[]) =>
  ranked.map(({ userId, profit, trades }) => [userId, profit.toFixed(), trades])

async function findPool(tokenId: TokenId): Promise<Pool> {
  const row = await market.db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).executeTakeFirstOrThrow()
  return {
    sol: new Decimal(row.sol_reserve),
    virtualSol: new Decimal(row.virtual_sol),
    tokens: new Decimal(row.token_reserve),
  }
}

describe('the winners of a window', () => {
  let early: UserId
  let late: UserId
  beforeEach(async () => {
    early = await market.addPlayer()
    late = await market.addPlayer()
  })

  it('are empty if nobody traded', async () => {
    await market.launch(early, '5')
    expect(await rank()).toEqual([])
    expect(await sources(rolling())).toEqual(new Map())
  })

  it('disappear when their trades are older than the window', async () => {
    const tokenId = await market.launch(early, '5')
    await market.buy(late, tokenId, '20')
    await market.sellAll(early, tokenId)
    market.passTime(WINDOW_MS)
    expect(await rank()).toHaveLength(1)
    market.passTime(1)
    expect(await rank()).toEqual([])
  })

  it('do not change after the end of the window', async () => {
    const since = market.clock.now()
    const tokenId = await market.launch(early, '5')
    await market.buy(late, tokenId, '20')
    await market.buy(early, tokenId, '1')
    await market.sell(early, tokenId, '100000000')
    market.passTime(1)
    const window = { since, until: market.clock.now() }
    const before = await rank(window)
    expect(before).toHaveLength(1)
    await market.sellAll(early, tokenId)
    await market.rug(early, tokenId)
    expect(await rank(window)).toEqual(before)
  })

  it('are found among many players who sold more or hold rising tokens, but did not win', async () => {
    const sellers: [UserId, TokenId][] = []
    for (let count = 0; count < 5; count++) {
      const seller = await market.addPlayer()
      sellers.push([seller, await market.launch(seller, '20')])
    }
    market.passTime(WINDOW_MS + 1)
    for (const [seller, tokenId] of sellers) await market.sellAll(seller, tokenId)
    for (const [seller] of sellers) await market.buy(late, await market.launch(seller, '5'), '1')
    const tokenId = await market.launch(early, '1')
    await market.buy(late, tokenId, '2')
    const received = await market.sellAll(early, tokenId)
    expect(await rank(rolling(), 1)).toEqual([[early, received.sub(1).toFixed(), 2]])
  })
})

describe('the leaderboard', () => {
  it('and the sources of profits equal a computation from the journal, trade by trade', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(anyActions, async (actions) => {
        // Drop the players of earlier runs, because only the nine best are ranked exactly.
        market.passTime(WINDOW_MS + 1)
        const players = await Promise.all(Array.from({ length: 4 }, () => market.addPlayer()))
        await play(market, players, actions)
        // Add a winner, because random trades often have none.
        const winner = await market.addPlayer()
        const tokenId = await market.launch(winner, '5')
        for (const payer of [await market.addPlayer(), await market.addPlayer()]) await market.buy(payer, tokenId, '3')
        await market.sellAll(winner, tokenId)
        const expected = await rankByTheBook(rolling())
        expect(expected.map(({ userId }) => userId)).toContain(winner)
        compared += expected.length
        expect(await rank(rolling(), 50)).toEqual(shown(expected))
        expect(await rank(rolling(), 1)).toEqual(shown(expected.slice(0, 1)))
        const everybody = await rankEverybody(market.db, rolling())
        expect(shown(everybody.best)).toEqual(shown(expected))
        expect([...everybody.userIds]).toEqual(expected.map(({ userId }) => userId))
        await expectSources(rolling())
      }),
      { numRuns: 10, endOnFailure: true },
    )
    expect(compared).toBeGreaterThanOrEqual(10)
  })

  /** Computes every player's profit above 0 from all trades one by one. */
  async function rankByTheBook({ since }: TradeWindow): Promise<Ranked[]> {
    const trades = await market.db.selectFrom('trades').selectAll().orderBy('id').execute()
    const then = new Map<number, Pool>()
    const sums = new Map<string, { paid: Decimal; net: Decimal; bought: Decimal; gained: Decimal; trades: number }>()
    for (const trade of trades) {
      if (trade.created_at < since) {
        const [sol, tokens] = [new Decimal(trade.sol_reserve), new Decimal(trade.token_reserve)]
        then.set(trade.token_id, { sol, tokens, virtualSol: new Decimal(30) })
        continue
      }
      const key = `${trade.user_id}:${trade.token_id}`
      const zero = new Decimal(0)
      const sum = sums.get(key) ?? { paid: zero, net: zero, bought: zero, gained: zero, trades: 0 }
      const [isBuy, sol, tokens] = [trade.side === 'buy', trade.sol_amount, trade.token_amount]
      sums.set(key, {
        paid: isBuy ? sum.paid.add(sol) : sum.paid,
        bought: isBuy ? sum.bought.add(tokens) : sum.bought,
        net: isBuy ? sum.net.add(tokens) : sum.net.sub(tokens),
        gained: isBuy ? sum.gained.sub(sol) : sum.gained.add(sol),
        trades: sum.trades + 1,
      })
    }
    const ranked = new Map<UserId, Ranked>()
    for (const [key, { paid, net, bought, gained, trades: count }] of sums) {
      const [userId = 0, tokenId = 0] = key.split(':').map(Number) as [UserId, TokenId]
      let profit = gained
      if (net.gt(0)) {
        const atCost = paid.mul(net).div(bought).toDecimalPlaces(9)
        profit = profit.add(Decimal.min(cashOutValue(await findPool(tokenId as TokenId), net), atCost))
      }
      if (net.lt(0)) profit = profit.sub(cashOutValue(then.get(tokenId) ?? launchPool(), net.neg()))
      const sum = ranked.get(userId as UserId)
      ranked.set(userId as UserId, {
        userId: userId as UserId,
        profit: profit.add(sum?.profit ?? 0),
        trades: count + (sum?.trades ?? 0),
      })
    }
    return [...ranked.values()]
      .filter(({ profit }) => profit.gt(0))
      .sort((a, b) => b.profit.comparedTo(a.profit) || a.userId - b.userId)
  }

  it('shows wallets in printable ASCII only, and how many others traded the same tokens', async () => {
    const winner = await market.addPlayer()
    const tokenId = await market.launch(winner, '5')
    await market.buy(await market.addPlayer(), tokenId, '1')
    await market.buy(await market.addPlayer(), tokenId, '10')
    await market.sellAll(winner, tokenId)
    await market.db.updateTable('users').set({ wallet: 'So1\u202eé11' }).where('id', '=', winner).execute()
    const feed = createIdleFeed()
    const queryCache = new QueryCache({ feed, clock: market.clock })
    expect(await getLeaderboard({ ...market, market: { ...market.market, queryCache } })).toMatchObject([
      {
        rank: 1,
        userId: winner,
        username: expect.stringMatching(/^player-/),
        wallet: 'So1??11',
        tradesCount: 2,
        counterparties: 2,
      },
    ])
  })
})

/** Returns the largest source of each winner's profit. */
async function sources(window: TradeWindow) {
  const standings = await rankWinners(market.db, window, { most: 50, who: 'people' })
  const gains = standings.flatMap((player) => player.gains)
  const found = await findProfitSources(market.db, window, { gains, by: 'alone' })
  return new Map([...found].map(([id, { userId, percent }]) => [id, { userId, percent }]))
}

/** Compares the sources of all profits with those computed from the journal. */
async function expectSources(window: TradeWindow): Promise<void> {
  const standings = await rankWinners(market.db, window, { most: 50, who: 'people' })
  const expected = await sourcesByTheBook(
    window,
    standings.flatMap(({ gains }) => gains),
  )
  const told = await sources(window)
  expect([...told.keys()].sort()).toEqual([...expected.keys()].sort())
  expect(expected.size).toBeGreaterThan(0)
  for (const [id, { percent, parts }] of expected) {
    const source = told.get(id)
    expect(Math.abs((source?.percent ?? -9) - percent)).toBeLessThanOrEqual(1)
    // If two sources are equal up to rounding, either is correct.
    expect(parts.get(source?.userId ?? (0 as UserId))?.toNumber()).toBeCloseTo(percent, -0.5)
  }
}

/** Returns the largest source of each winner and every source's percent, computed exactly. */
async function sourcesByTheBook({ since }: TradeWindow, gains: readonly Gain[]) {
  const trades = await market.db.selectFrom('trades').selectAll().where('created_at', '>=', since).execute()
  const feed = (token: TokenId, user: number) =>
    Decimal.max(
      0,
      trades
        .filter((trade) => trade.token_id === token && trade.user_id === user)
        .reduce(
          (sum, { side, sol_amount, fee }) => sum.add(side === 'buy' ? sol_amount : `-${sol_amount}`).sub(fee),
          ZERO,
        ),
    )
  const all = [...new Set(trades.map((trade) => trade.user_id as UserId))]
  const result = new Map<UserId, { percent: number; parts: Map<UserId, Decimal> }>()
  for (const id of new Set(gains.map(({ userId }) => userId))) {
    const own = gains.filter(({ userId }) => userId === id)
    const whole = own.reduce((sum, { profit }) => sum.add(profit), ZERO)
    const parts = new Map<UserId, Decimal>()
    for (const { tokenId, profit } of own) {
      const feeds = all.filter((user) => user !== id).map((user) => [user, feed(tokenId, user)] as const)
      const total = feeds.reduce((sum, [, sol]) => sum.add(sol), ZERO)
      for (const [user, sol] of feeds) {
        if (sol.isZero() || sol.lt(total.mul('0.01'))) continue
        parts.set(user, (parts.get(user) ?? ZERO).add(profit.mul(sol).div(total).mul(100).div(whole)))
      }
    }
    if (parts.size > 0)
      result.set(id, {
        percent: Decimal.max(...parts.values())
          .floor()
          .toNumber(),
        parts,
      })
  }
  return result
}
