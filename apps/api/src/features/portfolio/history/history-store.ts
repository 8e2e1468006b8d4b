import { Decimal, type Sol } from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Snapshot } from '../../../database/snapshot.ts'
import { CASH_OUT, stakeWorthSql, VIRTUAL, wasSealedAt } from '../net-worth.ts'
import type { HistoryPlan } from './history-plan.ts'

/** A holding and its cash-out value. */
export interface WorthPart {
  readonly tokenId: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly cashOut: Sol
}

/** SOL at each time of a plan, by the number of the time, counted from 1. */
type SolAt = ReadonlyMap<number, Sol>

/** SQL for the value of a player's stake in a token. The pool is computed from its constant product k and its price. */
const WORTH_THEN = stakeWorthSql({
  sol: sql`sol`,
  virtualSol: VIRTUAL,
  tokens: sql`(k / sol)`,
  amount: sql`held`,
  isOwn: sql`is_own`,
})

/**
 * Finds the player's holdings with the largest cash-out value, at most `most`. The player's own tokens count only while
 * they are sealed.
 */
export async function findLargestParts(db: Db, userId: UserId, most: number): Promise<WorthPart[]> {
  const { rows } = await sql<PartRow>`
    select h.token_id, t.name, t.symbol, t.emoji, ${CASH_OUT} as cash_out
      from holdings h join tokens t on t.id = h.token_id join pools p on p.token_id = h.token_id
     where h.user_id = ${userId} and h.amount > 0 and p.rugged_at is null
       and (t.creator_id <> ${userId} or p.sealed_until > now())
     order by cash_out desc, h.token_id limit ${most}`.execute(db)
  return rows.map(({ token_id, name, symbol, emoji, cash_out }) => ({
    tokenId: token_id as TokenId,
    name,
    symbol,
    emoji,
    cashOut: new Decimal(cash_out),
  }))
}

/** Finds a player's own open pools that are not sealed, newest first, at most `most`. */
export async function findOpenPools(db: Db, userId: UserId, most: number): Promise<TokenId[]> {
  const { rows } = await sql<{ id: TokenId }>`
    select t.id from tokens t join pools p on p.token_id = t.id
     where t.creator_id = ${userId} and p.rugged_at is null and not coalesce(p.sealed_until > now(), false)
     order by t.id desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Counts the tokens that a player holds, held earlier, or launched and can still rug. The cost of a history grows with
 * this count.
 */
export async function countTokens(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from holdings where user_id = ${userId})::int
         + (select count(*) from tokens t join pools p on p.token_id = t.id
             where t.creator_id = ${userId} and p.rugged_at is null)::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Returns the time of a trade of the player: the one with number `most` + 1, counted back from now. Returns null if the
 * player has made fewer trades since `since`.
 */
export async function findBusySince(
  db: Db,
  userId: UserId,
  { since, most }: { since: Date; most: number },
): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from trades where user_id = ${userId} and created_at >= ${since}
     order by created_at desc offset ${most} limit 1`.execute(db)
  return rows[0]?.created_at ?? null
}

/**
 * Computes the exact change of a player's balance from each time to the next one, or to now. The changes come from
 * grants, trades, rug proceeds and launch fees. An event exactly at one of these times counts as after it.
 */
export async function findFlows(snapshot: Snapshot, userId: UserId, moments: readonly Date[]): Promise<SolAt> {
  const [since] = moments
  const { rows } = await sql<{ moment: number; sol: string }>`
    select width_bucket(created_at, ${moments}::timestamptz[]) as moment, sum(sol) as sol from (
      select created_at, case side when 'sell' then sol_amount else -sol_amount end as sol
        from trades where user_id = ${userId} and created_at >= ${since}
      union all select created_at, amount from grants where user_id = ${userId} and created_at >= ${since}
      union all select created_at, -launch_fee from tokens where creator_id = ${userId} and created_at >= ${since}
      union all select r.created_at, r.amount from tokens t join rugs r on r.token_id = t.id
        where t.creator_id = ${userId} and r.created_at >= ${since}
    ) flow group by 1`.execute(snapshot)
  return solAt(rows)
}

/**
 * Computes the value of a player's holdings and open pools (sum of `stakeWorth`) at each time of a plan. The times of
 * the plan are numbered from 1. Amounts are exact, because they are the current amounts minus the later trades. Pools
 * are computed from the price p at the time, which is the close of the last stored candle before it. A trade keeps S ·
 * T = k except for rounding, so S = √(k·p) and T = k / S. k comes from the current pool, or from the pool just before a
 * rug pull. In a pool of less than a million SOL, each later trade increased k by at most 4·10⁻¹¹ of itself. The SOL in
 * such a pool is therefore too large by at most 2·10⁻¹¹ of itself per later trade.
 */
export async function findWorths(snapshot: Snapshot, userId: UserId, plan: HistoryPlan): Promise<SolAt> {
  const { moments, storedWidth } = plan
  const { rows } = await sql<{ moment: number; sol: string }>`
    with ${stakes(userId, plan)}, state as (
      select token_id, moment, at, k, launch_price, is_own and not ${wasSealedAt(sql`token_id`, sql`at`)} as is_own, rugged_at, launched_at,
             amount - coalesce(sum(tokens) over (
               partition by token_id order by moment rows between 1 following and unbounded following), 0) as held
        from stake cross join unnest(${[...moments, 'infinity']}::timestamptz[]) with ordinality as m (at, moment)
        left join own_trade using (token_id, moment)
    ), pool as (
      select moment, held, is_own, k, sqrt(k * coalesce(ago.close, launch_price)) as sol
        from state s left join lateral (
          select close from candles c where c.token_id = s.token_id and c.width = ${storedWidth} and c.bucket < s.at
           order by c.bucket desc limit 1
        ) ago on true
       where moment <= ${moments.length} and (held > 0 or is_own) and launched_at < at
         and (rugged_at is null or rugged_at >= at)
    )
    select moment::int, sum(${WORTH_THEN}) as sol from pool group by moment`.execute(snapshot)
  return solAt(rows)
}

/**
 * Returns SQL for the player's trades by token and time, and for every token in which the player had a stake since the
 * first time.
 */
function stakes(userId: UserId, { moments }: HistoryPlan) {
  const [since] = moments
  return sql`
    own_trade as (
      select token_id, width_bucket(created_at, ${moments}::timestamptz[]) + 1 as moment,
             sum(case side when 'buy' then token_amount else -token_amount end) as tokens
        from trades where user_id = ${userId} and created_at >= ${since} group by 1, 2
    ), staked as (
      select token_id from holdings where user_id = ${userId} and amount > 0
       union select token_id from own_trade union select id from tokens where creator_id = ${userId}
    ), stake as materialized (
      select s.token_id, coalesce(h.amount, 0) as amount, t.creator_id = ${userId} as is_own, t.launch_price,
             t.created_at as launched_at, r.created_at as rugged_at,
             case when r.token_id is null then p.sol_reserve * p.token_reserve
                  else coalesce(last.k, ${VIRTUAL} * t.supply) end as k
        from staked s join tokens t on t.id = s.token_id join pools p on p.token_id = s.token_id
        left join holdings h on h.token_id = s.token_id and h.user_id = ${userId}
        left join rugs r on r.token_id = s.token_id
        left join lateral (
          select sol_reserve * token_reserve as k from trades b where b.token_id = r.token_id order by seq desc limit 1
        ) last on true
       where r.created_at is null or r.created_at >= ${since}
    )`
}

function solAt(rows: readonly { moment: number; sol: string }[]): SolAt {
  return new Map(rows.map(({ moment, sol }) => [moment, new Decimal(sol)]))
}

interface PartRow {
  readonly token_id: number
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly cash_out: string
}
