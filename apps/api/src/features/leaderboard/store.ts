import assert from 'node:assert/strict'
import { Decimal, FEE_RATE, launchPool, type Pool, solText, tokensText } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Flow, PoolSpan } from './flow-profit.ts'

/** A span of time; `until` (not in it) is null for one that is still open. */
export interface TradeWindow {
  readonly since: Date
  readonly until: Date | null
}

/** One player's trades of one token in a window, with the token's pool at both of its ends. */
export interface PlayerFlow {
  readonly userId: UserId
  readonly tokenId: TokenId
  readonly trades: number
  readonly flow: Flow
  readonly pools: PoolSpan
}

/** An estimate is off by far less, in SOL: who seems to lose less than this may have won. */
const LOSS_AT_MOST = '-0.001'
/** Decimals of an estimate, in SOL: equal players stay equal, whatever order their trades were added in. */
const ESTIMATE_DECIMALS = 6
const KEPT_AFTER_FEE = new Decimal(1).sub(FEE_RATE).toFixed()
const START = launchPool()
const START_SOL = solText(START.sol)
const START_TOKENS = tokensText(START.tokens)
/** Enough for the sums of a million pairs of player and token (PostgreSQL hashes in twice of it). */
const RANKING_MEMORY = '64MB'

/** Sets a transaction up for ranking a crowded window: memory for its sums, and a time limit of its own for a statement. */
export async function prepareRanking(tx: Transaction<Database>, statementTimeoutMs: number): Promise<void> {
  await sql`select set_config('work_mem', ${RANKING_MEMORY}, true),
    set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(tx)
}

/**
 * Every flow of the `most` players who did best in a window, theirs next to each other, the best first.
 *
 * Most players trade and few win, so the database ranks by floats and a formula without roundings who is worth an exact
 * look; only those leave it, summed exactly. One statement, so pools and trades are of one moment. Reads the window's trades
 * once (by the index on their time), those of the best players once more, and two of each token that was traded.
 */
export async function findBestFlows(db: Kysely<Database>, window: TradeWindow, most: number): Promise<PlayerFlow[]> {
  const { since, until } = window
  const inWindow = sql`created_at >= ${since} and created_at < ${until ?? 'infinity'}`
  // `offset 0` has each amount turned into a float once, not once for each sum.
  const { rows } = await sql<FlowRow>`
    with flow as materialized (
      select user_id, token_id, min(seq) as first_seq, max(seq) as last_seq,
             plain_sum(sol) filter (where is_buy) as sol_in, plain_sum(sol) filter (where not is_buy) as sol_out,
             plain_sum(tokens) filter (where is_buy) as bought, plain_sum(tokens) filter (where not is_buy) as sold
        from (select user_id, token_id, seq, side = 'buy' as is_buy, sol_amount::float8 as sol,
                     token_amount::float8 as tokens
                from trades where ${inWindow} offset 0) trade
       group by user_id, token_id
    ), span as (
      select token_id, min(first_seq) as first_seq, max(last_seq) as last_seq from flow group by token_id
    ), pool as (
      select s.token_id, last.token_reserve as tokens_after,
             case when r.created_at < ${until ?? 'infinity'} then 0 else last.sol_reserve end as sol_after,
             coalesce(before.sol_reserve, ${START_SOL}::numeric) as sol_before,
             coalesce(before.token_reserve, ${START_TOKENS}::numeric) as tokens_before
        from span s
        join trades last on last.token_id = s.token_id and last.seq = s.last_seq
        left join trades before on before.token_id = s.token_id and before.seq = s.first_seq - 1
        left join rugs r on r.token_id = s.token_id
    ), plain_pool as materialized (
      select token_id, sol_before::float8, tokens_before::float8, sol_after::float8, tokens_after::float8 from pool
    ), best as (
      select user_id, estimate from (
        select user_id, round(plain_sum(sol_out - sol_in + ${ESTIMATED_STOCK})::numeric, ${ESTIMATE_DECIMALS}) as estimate
          from flow join plain_pool using (token_id) group by user_id
      ) ranked
       where estimate > ${LOSS_AT_MOST} order by estimate desc, user_id limit ${most}
    ), exact as (
      select estimate, user_id, token_id, count(*)::int as trades,
             coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
             coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out,
             coalesce(sum(token_amount) filter (where side = 'buy'), 0) as bought,
             coalesce(sum(token_amount) filter (where side = 'sell'), 0) as sold
        from best join trades using (user_id) where ${inWindow} group by estimate, user_id, token_id
    )
    select user_id, token_id, trades, sol_in, sol_out, bought, sold, sol_before, tokens_before, sol_after, tokens_after
      from exact join pool using (token_id) order by estimate desc, user_id`.execute(db)
  return rows.map(toPlayerFlow)
}

/** What the net tokens of a flow add to its profit: `flowProfit` without its roundings. */
const ESTIMATED_STOCK = sql`case
  when bought > sold then least(
    sol_in * (bought - sold) / bought,
    sol_after * (bought - sold) / (tokens_after + bought - sold) * ${KEPT_AFTER_FEE}::float8)
  when bought < sold then sol_before * (bought - sold) / (tokens_before + sold - bought) * ${KEPT_AFTER_FEE}::float8
  else 0 end`

interface FlowRow {
  readonly user_id: number
  readonly token_id: number
  readonly trades: number
  readonly sol_in: string
  readonly sol_out: string
  readonly bought: string
  readonly sold: string
  readonly sol_before: string
  readonly tokens_before: string
  readonly sol_after: string
  readonly tokens_after: string
}

function toPlayerFlow(row: FlowRow): PlayerFlow {
  return {
    userId: row.user_id as UserId,
    tokenId: row.token_id as TokenId,
    trades: row.trades,
    flow: {
      solIn: new Decimal(row.sol_in),
      solOut: new Decimal(row.sol_out),
      bought: new Decimal(row.bought),
      sold: new Decimal(row.sold),
    },
    pools: { before: toPool(row.sol_before, row.tokens_before), after: toPool(row.sol_after, row.tokens_after) },
  }
}

function toPool(sol: string, tokens: string): Pool {
  return { sol: new Decimal(sol), virtualSol: START.virtualSol, tokens: new Decimal(tokens) }
}

/** Each player has a bit of a `bigint`. */
const COUNTED_AT_ONCE_MAX = 62

/**
 * How many others traded the same tokens as each of some players (62 at most) in a window. A token has the bits of those
 * of them who traded it, a player the bits of the tokens they traded: one reading of the window's trades for all.
 */
export async function countCounterparties(
  db: Kysely<Database>,
  { since, until }: TradeWindow,
  ids: readonly UserId[],
): Promise<Map<UserId, number>> {
  if (ids.length === 0) return new Map()
  assert(ids.length <= COUNTED_AT_ONCE_MAX, 'every player has a bit')
  const inWindow = sql`created_at >= ${since} and created_at < ${until ?? 'infinity'}`
  const { rows } = await sql<{ user_id: UserId; count: number }>`
    with one as (
      select user_id, 1::bigint << (place::int - 1) as bit from unnest(${ids}::int[]) with ordinality as one (user_id, place)
    ), traded as (
      select token_id, bit_or(bit) as bits from one join trades using (user_id) where ${inWindow} group by token_id
    ), met as (
      select user_id, bit_or(bits) as bits from trades join traded using (token_id) where ${inWindow} group by user_id
    )
    select one.user_id, count(met.user_id)::int as count
      from one left join met on met.bits & one.bit <> 0 and met.user_id <> one.user_id
     group by one.user_id`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.count]))
}

/** Who a player is on the leaderboard. */
export interface PlayerRow {
  readonly id: number
  readonly username: string
  readonly wallet: string
  readonly created_at: Date
  /** Null for whoever is still here. */
  readonly deleted_at: Date | null
}

/** Some players. */
export async function findPlayers(db: Kysely<Database>, ids: readonly UserId[]): Promise<PlayerRow[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('users')
    .select(['id', 'username', 'wallet', 'created_at', 'deleted_at'])
    .where('id', 'in', ids)
    .execute()
}
