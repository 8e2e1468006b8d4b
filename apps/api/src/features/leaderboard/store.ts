import { Decimal, FEE_RATE, launchPool, type Pool, solText, tokensText } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import type { TokenId, UserId } from '../../ids.ts'
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

/** Roundings move an estimate by lamports: who seems to lose less than this, in SOL, may have won. */
const LOSS_AT_MOST = '-0.001'
const KEPT_AFTER_FEE = new Decimal(1).sub(FEE_RATE).toFixed()
const START = launchPool()
const START_SOL = solText(START.sol)
const START_TOKENS = tokensText(START.tokens)

/**
 * Every flow of the `most` players who did best in a window, theirs next to each other, the best first.
 *
 * Most players trade and few win, so the database sums the trades and finds by a formula without roundings who is worth an
 * exact look; only those leave it. One statement, so pools and trades are of one moment. Reads the window's trades (by the
 * index on their time) twice, and two more of each token that was traded.
 */
export async function findBestFlows(db: Kysely<Database>, window: TradeWindow, most: number): Promise<PlayerFlow[]> {
  const { since, until } = window
  const inWindow = sql`created_at >= ${since} and created_at < ${until ?? 'infinity'}`
  const { rows } = await sql<FlowRow>`
    with span as (
      select token_id, min(seq) as first_seq, max(seq) as last_seq from trades where ${inWindow} group by token_id
    ), pool as (
      select s.token_id, last.token_reserve as tokens_after,
             case when r.created_at < ${until ?? 'infinity'} then 0 else last.sol_reserve end as sol_after,
             coalesce(before.sol_reserve, ${START_SOL}::numeric) as sol_before,
             coalesce(before.token_reserve, ${START_TOKENS}::numeric) as tokens_before
        from span s
        join trades last on last.token_id = s.token_id and last.seq = s.last_seq
        left join trades before on before.token_id = s.token_id and before.seq = s.first_seq - 1
        left join rugs r on r.token_id = s.token_id
    ), flow as materialized (
      select user_id, token_id, count(*)::int as trades,
             coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
             coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out,
             coalesce(sum(token_amount) filter (where side = 'buy'), 0) as bought,
             coalesce(sum(token_amount) filter (where side = 'sell'), 0) as sold
        from trades where ${inWindow} group by user_id, token_id
    ), best as (
      select user_id, estimate from (
        select user_id, sum(sol_out - sol_in + ${ESTIMATED_STOCK}) as estimate
          from flow join pool using (token_id) group by user_id
      ) ranked
       where estimate > ${LOSS_AT_MOST} order by estimate desc, user_id limit ${most}
    )
    select user_id, token_id, trades, sol_in, sol_out, bought, sold, sol_before, tokens_before, sol_after, tokens_after
      from best join flow using (user_id) join pool using (token_id) order by estimate desc, user_id`.execute(db)
  return rows.map(playerFlowOf)
}

/** What the net tokens of a flow add to its profit: `flowProfit` without its roundings. */
const ESTIMATED_STOCK = sql`case
  when bought > sold then least(
    sol_in * (bought - sold) / bought,
    sol_after * (bought - sold) / (tokens_after + bought - sold) * ${KEPT_AFTER_FEE}::numeric)
  when bought < sold then sol_before * (bought - sold) / (tokens_before + sold - bought) * ${KEPT_AFTER_FEE}::numeric
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

function playerFlowOf(row: FlowRow): PlayerFlow {
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
    pools: { before: poolOf(row.sol_before, row.tokens_before), after: poolOf(row.sol_after, row.tokens_after) },
  }
}

function poolOf(sol: string, tokens: string): Pool {
  return { sol: new Decimal(sol), virtualSol: START.virtualSol, tokens: new Decimal(tokens) }
}

/** How many others traded the same tokens as each of some players in a window. */
export async function countCounterparties(
  db: Kysely<Database>,
  { since, until }: TradeWindow,
  ids: readonly UserId[],
): Promise<Map<UserId, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ user_id: UserId; count: number }>`
    with traded as (
      select distinct user_id, token_id from trades
       where user_id = any(${ids}::int[]) and created_at >= ${since} and created_at < ${until ?? 'infinity'}
    )
    select traded.user_id, count(distinct t.user_id)::int as count
      from traded join trades t on t.token_id = traded.token_id and t.user_id <> traded.user_id
     where t.created_at >= ${since} and t.created_at < ${until ?? 'infinity'}
     group by traded.user_id`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.count]))
}

/** Who a player is on the leaderboard. */
export interface PlayerRow {
  readonly id: number
  readonly username: string
  readonly wallet: string
  readonly created_at: Date
}

/** Some players. */
export async function findPlayers(db: Kysely<Database>, ids: readonly UserId[]): Promise<PlayerRow[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('users')
    .select(['id', 'username', 'wallet', 'created_at'])
    .where('id', 'in', ids)
    .execute()
}
