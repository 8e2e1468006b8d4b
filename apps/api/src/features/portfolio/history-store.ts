import { Decimal, FEE_RATE, type Sol, solText, VIRTUAL_SOL } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { TokenId, UserId } from '../../ids.ts'
import type { Snapshot } from '../../snapshot.ts'
import type { HistoryPlan } from './history-plan.ts'

/** What a player could have in SOL now, part by part. */
export interface Worth {
  readonly balance: Sol
  /** What selling each holding by itself would pay, after the fee. */
  readonly cashOut: Sol
  readonly holdings: number
  /** Tokens held now or before. */
  readonly everHeld: number
  /** The real SOL in the open pools of tokens that the player launched. */
  readonly ownPools: Sol
  readonly openPools: number
}

/** A holding by what selling it would pay. */
export interface WorthPart {
  readonly tokenId: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly cashOut: Sol
}

/** SOL by the place of a moment in its plan, from 1. */
type SolAt = ReadonlyMap<number, Sol>

const FEE = sql`${FEE_RATE.toFixed()}::numeric`
/** A rug pull leaves none of it in the pool's row. */
const VIRTUAL = sql`${solText(VIRTUAL_SOL)}::numeric`

/**
 * `cashOutValue` of the market maker in SQL: gross is ⌊S·t / (T + t)⌋₉, the fee ⌈gross · rate⌉₉. `div` and `ceil` are exact
 * on numerics. The database computes it since a player may hold thousands of tokens at a hundred moments.
 */
function cashOutOf(sol: RawBuilder<unknown>, tokens: RawBuilder<unknown>, amount: RawBuilder<unknown>) {
  const gross = sql`div(${sol} * ${amount} * 1000000000, ${tokens} + ${amount})`
  return sql`((${gross} - ceil(${gross} * ${FEE})) * 0.000000001)`
}

const CASH_OUT = cashOutOf(sql`p.sol_reserve`, sql`p.token_reserve`, sql`h.amount`)

/** What a player could have now: exact, over everything held, listed or not. */
export async function findWorth(db: Kysely<Database>, userId: UserId): Promise<Worth> {
  const { rows } = await sql<WorthRow>`
    select a.sol_balance, held.cash_out, held.holdings, held.ever, own.real, own.pools
      from accounts a, lateral (
        select coalesce(sum(${CASH_OUT}) filter (where h.amount > 0), 0) as cash_out,
               (count(*) filter (where h.amount > 0))::int as holdings, count(*)::int as ever
          from holdings h join pools p on p.token_id = h.token_id where h.user_id = a.user_id
      ) held, lateral (
        select coalesce(sum(p.sol_reserve - p.virtual_sol), 0) as real, count(*)::int as pools
          from tokens t join pools p on p.token_id = t.id where t.creator_id = a.user_id and p.rugged_at is null
      ) own
     where a.user_id = ${userId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('every player has an account')
  return {
    balance: new Decimal(row.sol_balance),
    cashOut: new Decimal(row.cash_out),
    holdings: row.holdings,
    everHeld: row.ever,
    ownPools: new Decimal(row.real),
    openPools: row.pools,
  }
}

/** The holdings that selling would bring most for, at most `most`. */
export async function findLargestParts(db: Kysely<Database>, userId: UserId, most: number): Promise<WorthPart[]> {
  const { rows } = await sql<PartRow>`
    select h.token_id, t.name, t.symbol, t.emoji, ${CASH_OUT} as cash_out
      from holdings h join tokens t on t.id = h.token_id join pools p on p.token_id = h.token_id
     where h.user_id = ${userId} and h.amount > 0 and p.rugged_at is null
     order by cash_out desc, h.token_id limit ${most}`.execute(db)
  return rows.map(({ token_id, name, symbol, emoji, cash_out }) => ({
    ...{ tokenId: token_id as TokenId, name, symbol, emoji },
    cashOut: new Decimal(cash_out),
  }))
}

/** The tokens of a player's own open pools, the newest first, at most `most`. */
export async function findOpenPools(db: Kysely<Database>, userId: UserId, most: number): Promise<TokenId[]> {
  const { rows } = await sql<{ id: TokenId }>`
    select t.id from tokens t join pools p on p.token_id = t.id
     where t.creator_id = ${userId} and p.rugged_at is null order by t.id desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** When a player got their first SOL; null for never. */
export async function findFirstGrant(db: Kysely<Database>, userId: UserId): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(created_at) as first from grants where user_id = ${userId}`.execute(db)
  return rows[0]?.first ?? null
}

/** The time of the trade that `most` trades of a player came after, if it is not before `since`; null for fewer trades. */
export async function findBusySince(
  db: Kysely<Database>,
  userId: UserId,
  { since, most }: { since: Date; most: number },
): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from trades where user_id = ${userId} and created_at >= ${since}
     order by created_at desc offset ${most} limit 1`.execute(db)
  return rows[0]?.created_at ?? null
}

/**
 * What came onto and left a player's balance after each moment of a plan, up to the next one or to now: grants, trades,
 * rug proceeds, launch fees. Exact. What happens at a moment counts as after it.
 */
export async function findFlows(snapshot: Snapshot, userId: UserId, { moments }: HistoryPlan): Promise<SolAt> {
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
 * The cash-out value of a player's holdings together with the real SOL in their open pools at each moment of a plan, by
 * its place from 1; a moment without any is left out.
 *
 * Amounts are exact: those of now, less the trades since. Pools are rebuilt from the price p at the moment (the close of
 * the last kept candle before it): since a trade leaves S · T = k but for roundings, S = √(k·p) and T = k / S. k is that
 * of the pool as it stands, or stood before a rug pull. In a pool of less than a million SOL each trade since has made it
 * at most 4·10⁻¹¹ of itself larger, so S is too large by at most 2·10⁻¹¹ of itself for each trade since the moment.
 */
export async function findWorths(snapshot: Snapshot, userId: UserId, plan: HistoryPlan): Promise<SolAt> {
  const { moments, keptWidth } = plan
  const { rows } = await sql<{ moment: number; sol: string }>`
    with ${stakes(userId, plan)}, state as (
      select token_id, moment, at, k, launch_price, is_own, rugged_at, launched_at,
             amount - coalesce(sum(tokens) over (
               partition by token_id order by moment rows between 1 following and unbounded following), 0) as held
        from stake cross join unnest(${[...moments, 'infinity']}::timestamptz[]) with ordinality as m (at, moment)
        left join own_trade using (token_id, moment)
    ), pool as (
      select moment, held, is_own, k, sqrt(k * coalesce(ago.close, launch_price)) as sol
        from state s left join lateral (
          select close from candles c where c.token_id = s.token_id and c.width = ${keptWidth} and c.bucket < s.at
           order by c.bucket desc limit 1
        ) ago on true
       where moment <= ${moments.length} and (held > 0 or is_own) and launched_at < at
         and (rugged_at is null or rugged_at >= at)
    )
    select moment::int, sum(
        case when held > 0 then ${cashOutOf(sql`sol`, sql`(k / sol)`, sql`held`)} else 0 end
        + case when is_own then greatest(trunc(sol - ${VIRTUAL}, 9), 0) else 0 end) as sol
      from pool group by moment`.execute(snapshot)
  return solAt(rows)
}

/** The player's own trades by token and moment, and every token that the player had something in since the first one. */
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

interface WorthRow {
  readonly sol_balance: string
  readonly cash_out: string
  readonly holdings: number
  readonly ever: number
  readonly real: string
  readonly pools: number
}

interface PartRow {
  readonly token_id: number
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly cash_out: string
}
