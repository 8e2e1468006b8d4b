import { Decimal, solText } from '@papermoon/amm'
import { type LeaderboardRank, leaderboardRank } from '@papermoon/contract/leaderboard'
import { formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { defineTimedQuery } from '../../cache/query-cache.ts'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { defineError } from '../../errors.ts'
import { getLeaderboard, PLACES } from './get.ts'
import { currentGiveawayWindow } from './giveaway/giveaway-window.ts'
import { isRecent } from './last-six-hours.ts'
import { uncountedStock } from './ranking/flow-profit.ts'
import { findOwnFlows, findPerson, findUncounted } from './ranking/own-flows.ts'
import { sumFlows } from './ranking/rank-winners.ts'
import { getLastStandings, type Standing, type Standings } from './ranking/standings.ts'

/** The player whose rank is asked for does not exist. */
class UnknownPlayerError extends defineError('NOT_FOUND', 'User not found.') {}

type Parts = AppPart<'db' | 'clock' | 'queryCache'>

const rankQuery = defineTimedQuery<UserId, LeaderboardRank>({
  name: 'leaderboard rank',
  schema: leaderboardRank,
  // A rank is as fresh as its board.
  isFresh: (_atMs, nowMs, { computedAt }) => isRecent(Date.parse(computedAt), nowMs),
})

/** A player's place on the leaderboard, by the same rules and as of the same moment. Throws `UnknownPlayerError`. */
export async function getRank(app: Parts, userId: UserId): Promise<LeaderboardRank> {
  return await app.market.queryCache.get(rankQuery, userId, () => readRank(app, userId))
}

async function readRank(app: Parts, userId: UserId): Promise<LeaderboardRank> {
  // Ranks everybody, unless that was done within 30 seconds.
  await getLeaderboard(app)
  const standings = getLastStandings(app.platform).current
  if (standings === null) throw new Error('the leaderboard was read without standings')
  const own = await findOwnStanding(app, userId, standings)
  const { since, until } = currentGiveawayWindow(app.platform.clock.now())
  return {
    userId,
    ...toRank(own, standings),
    players: standings.places.length,
    computedAt: standings.at.toISOString(),
    giveaway: { since: since.toISOString(), until: until.toISOString() },
  }
}

/** A player's profit of any sign, and what the span brought beside it. */
interface OwnStanding extends Standing {
  readonly notCounted: NonNullable<LeaderboardRank['notCounted']>
}

/** Null for an account that is not ranked. */
async function findOwnStanding(app: Parts, userId: UserId, standings: Standings): Promise<OwnStanding | null> {
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const person = await findPerson(snapshot, userId, standings.span)
    if (person === undefined) throw new UnknownPlayerError()
    if (!person.isPerson) return null
    const flows = await findOwnFlows(snapshot, userId, standings.span)
    const { rugs, launchFees } = await findUncounted(snapshot, userId, standings.span)
    const unsold = flows.reduce((sum, { flow, pools }) => sum.add(uncountedStock(flow, pools)), new Decimal(0))
    const [sum] = sumFlows(flows)
    const notCounted = { unsold: solText(unsold), rugs: formatNumeric(rugs), launchFees: formatNumeric(launchFees) }
    return { ...(sum ?? { userId, profit: new Decimal(0), trades: 0 }), notCounted }
  })
}

type Rank = Pick<
  LeaderboardRank,
  'isRanked' | 'rank' | 'totalPnL' | 'tradesCount' | 'notCounted' | 'behindBronze' | 'lead'
>

function toRank(own: OwnStanding | null, { best, places }: Standings): Rank {
  if (own === null)
    return {
      isRanked: false,
      rank: null,
      totalPnL: null,
      tradesCount: 0,
      notCounted: null,
      behindBronze: null,
      lead: null,
    }
  const place = own.profit.gt(0) ? places.indexOf(own.userId) + 1 : 0
  const rank = place === 0 ? null : place
  const isOnPodium = rank !== null && rank <= PLACES
  const bronze = best[PLACES - 1]
  const next = rank === null ? undefined : best[rank]
  return {
    isRanked: true,
    rank,
    totalPnL: own.trades === 0 ? null : solText(own.profit),
    tradesCount: own.trades,
    notCounted: own.notCounted,
    behindBronze: isOnPodium || bronze === undefined ? null : solText(Decimal.max(0, bronze.profit.sub(own.profit))),
    lead: isOnPodium && next !== undefined ? solText(own.profit.sub(next.profit)) : null,
  }
}
