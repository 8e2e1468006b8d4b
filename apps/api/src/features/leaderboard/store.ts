import assert from 'node:assert/strict'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { IS_BOT } from '../../database/conditions.ts'

const WINDOW_MS = 6 * 3_600_000

const MAX_AGE_MS = 30_000

/** A period that ends just before `until`. If `until` is null, the period has no end. */
export interface TradeWindow {
  readonly since: Date
  readonly until: Date | null
}

/** Returns SQL for whether a trade is in a period. */
export function tradedWithin({ since, until }: TradeWindow): RawBuilder<unknown> {
  return sql`created_at >= ${since} and created_at < ${until ?? 'infinity'}`
}

/** Memory for the sums of a million pairs of player and token. PostgreSQL allows hash tables to use twice as much. */
const RANKING_MEMORY = '64MB'

/** Sets the memory and the statement timeout of a transaction, so that it can rank a busy period. */
export async function prepareRanking(tx: Tx, statementTimeoutMs: number): Promise<void> {
  await sql`select set_config('work_mem', ${RANKING_MEMORY}, true),
    set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(tx)
}

/** Max number of players for one count, because each player gets one bit of a `bigint`. */
const COUNTED_AT_ONCE_MAX = 62

/**
 * Counts, for each of at most 62 players, the other players who traded the same tokens in a period. One statement reads
 * the trades for all players together. Each player has one bit. A token gets the bits of the players who traded it, and
 * every trader gets the bits of their tokens.
 */
export async function countCounterparties(
  db: Db,
  window: TradeWindow,
  ids: readonly UserId[],
): Promise<Map<UserId, number>> {
  if (ids.length === 0) return new Map()
  assert(ids.length <= COUNTED_AT_ONCE_MAX, 'every player has a bit')
  const inWindow = tradedWithin(window)
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

export interface PlayerRow {
  readonly id: number
  readonly username: string
  readonly is_bot: boolean
  readonly wallet: string
  readonly profile_picture_url: string | null
  readonly created_at: Date
  /** Time at which the account was deleted. Null for an account that still exists. */
  readonly deleted_at: Date | null
}

export async function findPlayers(db: Db, ids: readonly UserId[]): Promise<PlayerRow[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('users as u')
    .select(['id', 'username', IS_BOT.as('is_bot'), 'wallet', 'profile_picture_url', 'created_at', 'deleted_at'])
    .where('id', 'in', ids)
    .execute()
}

/** Returns the period for which the leaderboard and the bots' league rank players. */
export function lastSixHours(now: Date): TradeWindow {
  return { since: new Date(now.getTime() - WINDOW_MS), until: null }
}

/** Returns whether a ranking read at `atMs` is recent enough to show. */
export function isRecent(atMs: number, nowMs: number): boolean {
  return nowMs >= atMs && nowMs < atMs + MAX_AGE_MS
}
