import { Decimal } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { findProfitSources, type Gain } from '../../../src/features/leaderboard/ranking/profit-sources.ts'
import { rankWinners } from '../../../src/features/leaderboard/ranking/rank-winners.ts'
import type { TradeWindow } from '../../../src/features/leaderboard/store.ts'
import { anyActions, play, shareTurnedMarket } from '../../support/turned-market.ts'

const HOUR_MS = 3_600_000

let winner: UserId
let friend: UserId
let other: UserId
const market = await shareTurnedMarket()
beforeEach(async () => {
  // What was traded before is forgotten.
  market.passTime(7 * HOUR_MS)
  ;[winner, friend, other] = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
})
const rolling = (): TradeWindow => ({ since: new Date(market.clock.now().getTime() - 6 * HOUR_MS), until: null })
async function sources(window = rolling()) {
  const standings = await rankWinners(market.db, window, { most: 50, who: 'people' })
  const gains = standings.flatMap((player) => player.gains)
  const found = await findProfitSources(market.db, window, { gains, by: 'alone' })
  return new Map([...found].map(([id, { userId, percent }]) => [id, { userId, percent }]))
}

describe('the source of a profit', () => {
  it('is one player where nobody else bought', async () => {
    const id = await market.launch(winner, '5')
    await market.buy(friend, id, '20')
    await market.sellAll(winner, id)
    expect(await sources()).toEqual(new Map([[winner, { userId: friend, percent: 100 }]]))
  })

  it('is the player who put in the most SOL', async () => {
    const id = await market.launch(winner, '5')
    await market.buy(friend, id, '3')
    await market.buy(other, id, '9')
    await market.sellAll(winner, id)
    expect(await sources()).toEqual(new Map([[winner, { userId: other, percent: 75 }]]))
  })

  it('is nobody who took their SOL out again', async () => {
    const id = await market.launch(winner, '5')
    await market.buy(friend, id, '30')
    await market.sellAll(friend, id)
    await market.buy(other, id, '3')
    await market.sellAll(winner, id)
    expect((await sources()).get(winner)).toEqual({ userId: other, percent: 100 })
  })

  it('weights tokens by their profit', async () => {
    const [much, little] = [await market.launch(winner, '10'), await market.launch(winner, '0.1')]
    await market.buy(friend, much, '30')
    await market.buy(other, little, '30')
    await market.sellAll(winner, much)
    await market.sellAll(winner, little)
    const source = (await sources()).get(winner)
    expect(source?.userId).toBe(friend)
    expect(source?.percent).toBeGreaterThan(90)
    expect(source?.percent).toBeLessThan(100)
  })

  it('ignores tokens with a loss, and SOL put in before the window', async () => {
    const [won, lost] = [await market.launch(winner, '5'), await market.launch(other)]
    await market.buy(other, won, '10')
    market.passTime(7 * HOUR_MS)
    await market.buy(friend, won, '2')
    await market.buy(winner, lost, '1')
    await market.buy(other, lost, '30')
    await market.sellAll(other, lost)
    await market.sellAll(winner, lost)
    await market.sellAll(winner, won)
    expect((await sources()).get(winner)).toEqual({ userId: friend, percent: 100 })
  })

  it('is nobody where nobody won', async () => {
    await market.launch(winner, '5')
    expect(await sources()).toEqual(new Map())
  })

  it('equals a computation from the journal, trade by trade', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(anyActions, async (actions) => {
        const players = await Promise.all(Array.from({ length: 4 }, () => market.addPlayer()))
        await play(market, players, actions)
        // Random trades often have no winner.
        const won = await market.launch(winner, '5')
        await market.buy(friend, won, '3')
        await market.sellAll(winner, won)
        const standings = await rankWinners(market.db, rolling(), { most: 50, who: 'people' })
        const expected = await sourcesByTheBook(
          rolling(),
          standings.flatMap(({ gains }) => gains),
        )
        const told = await sources()
        expect([...told.keys()].sort()).toEqual([...expected.keys()].sort())
        for (const [id, { percent, parts }] of expected) {
          const source = told.get(id)
          expect(Math.abs((source?.percent ?? -9) - percent)).toBeLessThanOrEqual(1)
          // Of parts equal up to rounding, either is right.
          expect(parts.get(source?.userId ?? (0 as UserId))?.toNumber()).toBeCloseTo(percent, -0.5)
          found++
        }
      }),
      { numRuns: 10 },
    )
    expect(found).toBeGreaterThanOrEqual(10)
  })

  /** The largest source of each winner and every source's percent, computed exactly. */
  async function sourcesByTheBook({ since }: TradeWindow, gains: readonly Gain[]) {
    const trades = await market.db.selectFrom('trades').selectAll().where('created_at', '>=', since).execute()
    const feed = (token: TokenId, user: number) =>
      Decimal.max(
        0,
        trades
          .filter((trade) => trade.token_id === token && trade.user_id === user)
          .reduce(
            (sum, { side, sol_amount, fee }) => sum.add(side === 'buy' ? sol_amount : `-${sol_amount}`).sub(fee),
            zero,
          ),
      )
    const all = [...new Set(trades.map((trade) => trade.user_id as UserId))]
    const result = new Map<UserId, { percent: number; parts: Map<UserId, Decimal> }>()
    for (const id of new Set(gains.map(({ userId }) => userId))) {
      const own = gains.filter(({ userId }) => userId === id)
      const whole = own.reduce((sum, { profit }) => sum.add(profit), zero)
      const parts = new Map<UserId, Decimal>()
      for (const { tokenId, profit } of own) {
        const feeds = all.filter((user) => user !== id).map((user) => [user, feed(tokenId, user)] as const)
        const total = feeds.reduce((sum, [, sol]) => sum.add(sol), zero)
        for (const [user, sol] of feeds) {
          if (sol.isZero() || sol.lt(total.mul('0.01'))) continue
          parts.set(user, (parts.get(user) ?? zero).add(profit.mul(sol).div(total).mul(100).div(whole)))
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
})

const zero = new Decimal(0)
