import { Decimal, solText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { QueryCache } from '../../src/cache/query-cache.ts'
import { getLeaderboard } from '../../src/features/leaderboard/get.ts'
import { getRank } from '../../src/features/leaderboard/rank.ts'
import { rankWinners } from '../../src/features/leaderboard/ranking/best-flows.ts'
import { createLastRanking } from '../../src/features/leaderboard/ranking/rank-everybody.ts'
import { anyActions, play, shareTurnedMarket } from '../support/turned-market.ts'

const HOUR_MS = 3_600_000

const market = await shareTurnedMarket()

const parts = () => ({ platform: market.platform, market: market.market })
/** Reads the rank now, or `later` milliseconds from now. */
const readRank = (userId: UserId, { later = 0 } = {}) => {
  const clock = { now: () => new Date(market.clock.now().getTime() + later) }
  return getRank({ ...parts(), platform: { ...market.platform, clock } }, userId)
}

/** Launches a token with 5 SOL, lets `payer` buy, and sells everything. */
async function win(winner: UserId, payer: UserId, sol: string): Promise<TokenId> {
  const tokenId = await market.launch(winner, '5')
  await market.buy(payer, tokenId, sol)
  await market.sellAll(winner, tokenId)
  return tokenId
}

describe('a rank on the leaderboard', () => {
  let players: UserId[]
  let payer: UserId
  beforeAll(async () => {
    payer = await market.addPlayer('1000')
    players = []
    for (const sol of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']) {
      const player = await market.addPlayer()
      players.unshift(player)
      await win(player, payer, sol)
    }
  })

  it('shows the board’s figures on the podium, and the distance to bronze below it', async () => {
    const board = await getLeaderboard(parts())
    const [first, second, third] = board.map(({ totalPnL }) => new Decimal(totalPnL))
    expect(await readRank(players[0] as UserId)).toMatchObject({
      totalPnL: board[0]?.totalPnL,
      behindBronze: null,
      lead: solText((first as Decimal).sub(second as Decimal)),
    })
    for (const index of [3, 11]) {
      const { totalPnL, behindBronze, lead } = await readRank(players[index] as UserId)
      expect(lead).toBeNull()
      expect(new Decimal(totalPnL ?? 0).gt(0)).toBe(true)
      expect(new Decimal(totalPnL ?? 0).add(behindBronze ?? 0)).toEqual(third)
    }
  })

  it('is null for a loss, which is shown with the distance to bronze', async () => {
    const third = (await getLeaderboard(parts()))[2]
    const rank = await readRank(payer)
    expect(rank).toMatchObject({ rank: null, isRanked: true, lead: null, tradesCount: 12 })
    expect(new Decimal(rank.totalPnL ?? 0).lt(0)).toBe(true)
    expect(new Decimal(rank.totalPnL ?? 0).add(rank.behindBronze ?? 0).toFixed()).toBe(third?.totalPnL)
  })

  it('is null without a trade', async () => {
    const newcomer = await market.addPlayer()
    expect(await readRank(newcomer)).toMatchObject({ rank: null, totalPnL: null, tradesCount: 0, players: 12 })
  })

  it('is null for a bot, and bots take nobody’s rank', async () => {
    const become = (kind: 'bot' | 'player') =>
      market.db
        .updateTable('users')
        .set({ kind })
        .where('id', '=', players[0] as UserId)
        .execute()
    await become('bot')
    expect(await readRank(players[0] as UserId)).toMatchObject({ isRanked: false, rank: null, totalPnL: null })
    expect(await readRank(players[1] as UserId)).toMatchObject({ rank: 1, players: 11 })
    await become('player')
  })

  it('names the current giveaway window, which does not roll', async () => {
    const { giveaway } = await readRank(payer)
    expect(giveaway).toEqual({ since: '2026-01-05T12:00:00.000Z', until: '2026-01-05T18:00:00.000Z' })
    const { giveaway: next } = await readRank(payer, { later: 6 * HOUR_MS })
    expect(next.since).toBe('2026-01-05T18:00:00.000Z')
  })

  it('is null once the trades are more than six hours old', async () => {
    expect(await readRank(players[0] as UserId, { later: 6 * HOUR_MS + 1 })).toMatchObject({
      rank: null,
      totalPnL: null,
      behindBronze: null,
    })
  })
})

describe('the profit beside a rank', () => {
  it('is the profit that ranks, for any trades in any order', async () => {
    let ranked = 0
    // Let the earlier wins fall out of the six hours.
    market.passTime(6 * HOUR_MS + 1)
    await fc.assert(
      fc.asyncProperty(anyActions, async (actions) => {
        const players = await Promise.all(Array.from({ length: 4 }, () => market.addPlayer()))
        await play(market, players, actions)
        // Add a winner, because random trades often have none.
        const winner = await market.addPlayer()
        await win(winner, await market.addPlayer(), '3')
        players.push(winner)
        const window = { since: new Date(market.clock.now().getTime() - 6 * HOUR_MS), until: null }
        const winners = await rankWinners(market.db, window, { most: 50, who: 'people' })
        for (const player of players) {
          await getLeaderboard(parts())
          // Remove the exact ranks, so that every player's profit is computed from the player's own trades.
          const ranking = market.market.memory.state(createLastRanking)
          if (ranking.current) ranking.current = { ...ranking.current, best: [] }
          const { rank, totalPnL, tradesCount } = await getRankWithoutReading(player)
          const index = winners.findIndex(({ userId }) => userId === player)
          expect(rank).toBe(index < 0 ? null : index + 1)
          if (index < 0) expect(new Decimal(totalPnL ?? 0).lte(0)).toBe(true)
          else
            expect([totalPnL, tradesCount]).toEqual([
              solText(winners[index]?.profit ?? new Decimal(0)),
              winners[index]?.trades,
            ])
          ranked += index < 0 ? 0 : 1
        }
      }),
      { numRuns: 7 },
    )
    expect(ranked).toBeGreaterThan(0)
  })

  /** Reads a rank from the current ranking without refreshing it, as if the leaderboard was cached. */
  function getRankWithoutReading(player: UserId) {
    const get = (query: { name: string }, _input: unknown, read: () => Promise<unknown>) =>
      query.name === 'leaderboard' ? Promise.resolve([]) : read()
    return getRank({ ...parts(), market: { ...market.market, queryCache: { get } as unknown as QueryCache } }, player)
  }
})
