import assert from 'node:assert/strict'
import { solText } from '@papermoon/amm'
import { type LeaderboardEntry, leaderboard } from '@papermoon/contract/leaderboard'
import { defineTimedQuery } from '../../cache/query-cache.ts'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { findProfitSources } from './ranking/profit-sources.ts'
import { createLastRanking, rankEverybody } from './ranking/rank-everybody.ts'
import { countCounterparties, findPlayers, isRecent, lastSixHours, prepareRanking } from './store.ts'

export const PLACES = 3

/**
 * Max time for the statement in ms, enough for a busy period on a busy machine. The time is longer than usual, because
 * all callers share this read.
 */
const STATEMENT_TIMEOUT_MS = 30_000

const leaderboardQuery = defineTimedQuery<null, LeaderboardEntry[]>({
  name: 'leaderboard',
  schema: leaderboard,
  isFresh: isRecent,
})

type Parts = AppPart<'db' | 'clock' | 'queryCache' | 'memory'>

/**
 * Returns the best traders of the last 6 hours. All callers share one result, which is read at most every 30 seconds.
 * Each read replaces the last ranking, so that every player's rank matches the board.
 */
export async function getLeaderboard(app: Parts): Promise<LeaderboardEntry[]> {
  return await app.market.queryCache.get(leaderboardQuery, null, () => readBoard(app))
}

async function readBoard(app: Parts): Promise<LeaderboardEntry[]> {
  const { db, clock } = app.platform
  const now = clock.now()
  const window = lastSixHours(now)
  return await inSnapshot(db, async (snapshot) => {
    await prepareRanking(snapshot, STATEMENT_TIMEOUT_MS)
    const { best, userIds } = await rankEverybody(snapshot, window)
    const span = { since: window.since, until: new Date(now.getTime() + 1) }
    app.market.memory.state(createLastRanking).current = { at: now, span, best, userIds }
    const winners = best.slice(0, PLACES)
    const ids = winners.map((winner) => winner.userId)
    const players = new Map((await findPlayers(snapshot, ids)).map((player) => [player.id, player]))
    const counterparties = await countCounterparties(snapshot, window, ids)
    const gains = winners.flatMap((winner) => winner.gains)
    const sources = await findProfitSources(snapshot, window, { gains, by: 'alone' })
    return winners.map(({ userId, profit, trades }, index) => {
      const player = players.get(userId)
      assert(player !== undefined, 'every trader is a player')
      return {
        rank: index + 1,
        userId,
        username: player.username,
        isBot: player.is_bot,
        profilePictureUrl: player.profile_picture_url,
        wallet: printable(player.wallet),
        totalPnL: solText(profit),
        tradesCount: trades,
        accountCreatedAt: player.created_at.toISOString(),
        counterparties: counterparties.get(userId) ?? 0,
        sourcePercent: sources.get(userId)?.percent ?? null,
      }
    })
  })
}

/**
 * Reduces a wallet to printable ASCII. People copy wallets into other programs, so a wallet must not contain characters
 * that look like others.
 */
export function printable(wallet: string): string {
  return wallet.replace(/[^\x20-\x7e]/g, '?')
}
