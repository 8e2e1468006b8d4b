import { Decimal, solText } from '@papermoon/amm'
import { type LeaderboardRank, leaderboardRank } from '@papermoon/contract/leaderboard'
import { type Db, formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { defineTimedQuery } from '../../cache/query-cache.ts'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { defineError } from '../../errors.ts'
import { getLeaderboard, PLACES } from './get.ts'
import { currentGiveawayWindow } from './giveaway/giveaway-window.ts'
import {
  type FlowRow,
  isPerson,
  type PlayerFlow,
  START_SOL,
  START_TOKENS,
  sumFlows,
  toPlayerFlow,
  uncountedStock,
} from './ranking/best-flows.ts'
import { createLastRanking, type ExactProfit, type Ranking } from './ranking/rank-everybody.ts'
import { isRecent, tradedWithin } from './store.ts'

/** The requested player does not exist. */
class UnknownPlayerError extends defineError('NOT_FOUND', 'User not found.') {}

type Parts = AppPart<'db' | 'clock' | 'queryCache' | 'memory'>

const rankQuery = defineTimedQuery<UserId, LeaderboardRank>({
  name: 'leaderboard rank',
  schema: leaderboardRank,
  // A rank stays valid for as long as the board from which it comes.
  isFresh: (_atMs, nowMs, { computedAt }) => isRecent(Date.parse(computedAt), nowMs),
})

/**
 * Returns a player's rank on the leaderboard at its last computation, by the leaderboard's rules. Throws
 * `UnknownPlayerError`.
 */
export async function getRank(app: Parts, userId: UserId): Promise<LeaderboardRank> {
  return await app.market.queryCache.get(rankQuery, userId, () => readRank(app, userId))
}

async function readRank(app: Parts, userId: UserId): Promise<LeaderboardRank> {
  // Rank all players, unless this was done within the last 30 seconds.
  await getLeaderboard(app)
  const ranking = app.market.memory.state(createLastRanking).current
  if (ranking === null) throw new Error('the leaderboard was read without a ranking')
  const own = await findOwnProfit(app, userId, ranking)
  const { since, until } = currentGiveawayWindow(app.platform.clock.now())
  return {
    userId,
    ...toRank(own, ranking),
    players: ranking.userIds.length,
    computedAt: ranking.at.toISOString(),
    giveaway: { since: since.toISOString(), until: until.toISOString() },
  }
}

/** A player's gain or loss, and the amounts of the period that do not count. */
interface OwnProfit extends ExactProfit {
  readonly notCounted: NonNullable<LeaderboardRank['notCounted']>
}

/** Returns null for an account that cannot have a rank. */
async function findOwnProfit(app: Parts, userId: UserId, ranking: Ranking): Promise<OwnProfit | null> {
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const person = await findPerson(snapshot, userId, ranking.span)
    if (person === undefined) throw new UnknownPlayerError()
    if (!person.isPerson) return null
    const flows = await findOwnFlows(snapshot, userId, ranking.span)
    const { rugs, launchFees } = await findUncounted(snapshot, userId, ranking.span)
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

function toRank(own: OwnProfit | null, { best, userIds }: Ranking): Rank {
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
  const position = own.profit.gt(0) ? userIds.indexOf(own.userId) + 1 : 0
  const rank = position === 0 ? null : position
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

type Span = Ranking['span']

/**
 * Finds the flows of one player in a period by the index on the player's trades. The flows match the ranking, because
 * past trades never change.
 */
async function findOwnFlows(db: Db, userId: UserId, span: Span): Promise<PlayerFlow[]> {
  const { rows } = await sql<FlowRow>`
    with own as materialized (
      select user_id, token_id, min(seq) as first_seq, count(*)::int as trades,
             coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
             coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out,
             coalesce(sum(token_amount) filter (where side = 'buy'), 0) as bought,
             coalesce(sum(token_amount) filter (where side = 'sell'), 0) as sold
        from trades where user_id = ${userId} and ${tradedWithin(span)} group by user_id, token_id
    )
    select own.user_id, own.token_id, own.trades, own.sol_in, own.sol_out, own.bought, own.sold,
           coalesce(before.sol_reserve, ${START_SOL}::numeric) as sol_before,
           coalesce(before.token_reserve, ${START_TOKENS}::numeric) as tokens_before,
           case when r.created_at < ${span.until} then 0 else last.sol_reserve end as sol_after,
           last.token_reserve as tokens_after
      from own
      join lateral (
        select sol_reserve, token_reserve from trades
         where token_id = own.token_id and created_at < ${span.until} order by seq desc limit 1) last on true
      left join lateral (${selectPoolBefore(span)}) before on true
      left join rugs r on r.token_id = own.token_id`.execute(db)
  return rows.map(toPlayerFlow)
}

/**
 * Returns SQL for the pool right after the last trade before a period. Only rows of `own` with net sales need this
 * pool. Times never decrease with a token's sequence numbers. A binary search therefore finds the trade without an
 * index on times.
 */
function selectPoolBefore({ since }: Span): RawBuilder<unknown> {
  return sql`
    with recursive probe (low, high) as (
      select 0::bigint, own.first_seq where own.sold > own.bought
      union all
      select case when middle.created_at < ${since} then middle.seq else low end,
             case when middle.created_at < ${since} then high else middle.seq end
        from probe join trades middle on middle.token_id = own.token_id and middle.seq = (low + high) / 2
       where high - low > 1
    )
    select t.sol_reserve, t.token_reserve
      from probe join trades t on t.token_id = own.token_id and t.seq = low where high - low = 1`
}

/** Sums the SOL from a player's rug pulls and launches in a period. The leaderboard does not count this SOL. */
async function findUncounted(
  db: Db,
  userId: UserId,
  { since, until }: Span,
): Promise<{ rugs: string; launchFees: string }> {
  const { rows } = await sql<{ rugs: string; launchFees: string }>`
    select coalesce(sum(r.amount) filter (where r.created_at >= ${since} and r.created_at < ${until}), 0) as rugs,
           -coalesce(sum(t.launch_fee) filter (where t.created_at >= ${since} and t.created_at < ${until}), 0) as "launchFees"
      from tokens t left join rugs r on r.token_id = t.id where t.creator_id = ${userId}`.execute(db)
  return rows[0] ?? { rugs: '0', launchFees: '0' }
}

/** Returns whether an account is ranked among people rather than bots; undefined for an unknown player. */
async function findPerson(db: Db, userId: UserId, span: Span): Promise<{ isPerson: boolean } | undefined> {
  const { rows } = await sql<{ isPerson: boolean }>`
    select ${isPerson(span)} as "isPerson" from users u where id = ${userId}`.execute(db)
  return rows[0]
}
