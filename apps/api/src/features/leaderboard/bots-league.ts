import assert from 'node:assert/strict'
import { solText } from '@papermoon/amm'
import { botsLeague, LEAGUE_PLACES, type LeagueEntry } from '@papermoon/contract/leaderboard'
import type { Db } from '@papermoon/db'
import { defineTimedQuery } from '../../cache/query-cache.ts'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { rankWinners } from './ranking/best-flows.ts'
import { isRecent, lastSixHours, prepareRanking } from './store.ts'

/** Max time for the statement in ms. This time is longer than usual, because all callers share the read. */
const STATEMENT_TIMEOUT_MS = 30_000

const leagueQuery = defineTimedQuery<null, LeagueEntry[]>({
  name: 'bots league',
  schema: botsLeague,
  isFresh: isRecent,
})

type Parts = AppPart<'db' | 'clock' | 'queryCache'>

/** Returns the best bots of the last 6 hours. All callers share one result, which is read at most every 30 seconds. */
export async function getBotsLeague(app: Parts): Promise<LeagueEntry[]> {
  return await app.market.queryCache.get(leagueQuery, null, () => readLeague(app.platform.db, app.platform.clock.now()))
}

async function readLeague(db: Db, now: Date): Promise<LeagueEntry[]> {
  return await inSnapshot(db, async (snapshot) => {
    await prepareRanking(snapshot, STATEMENT_TIMEOUT_MS)
    const ranked = await rankWinners(snapshot, lastSixHours(now), { most: LEAGUE_PLACES, who: 'bots' })
    const ids = ranked.map(({ userId }) => userId)
    const bots = new Map((await findBots(snapshot, ids)).map((bot) => [bot.id, bot]))
    return ranked.map(({ userId, profit, trades }, index) => {
      const bot = bots.get(userId)
      assert(bot !== undefined, 'every trader is a player')
      const { username, emoji, about, kind, profile_picture_url: profilePictureUrl } = bot
      const beside = { isBot: true, profilePictureUrl, emoji, about, isHouse: kind === 'house' }
      return { rank: index + 1, userId, username, ...beside, totalPnL: solText(profit), tradesCount: trades }
    })
  })
}

async function findBots(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  return await db
    .selectFrom('users')
    .select(['id', 'username', 'emoji', 'about', 'kind', 'profile_picture_url'])
    .where('id', 'in', [...ids])
    .execute()
}
