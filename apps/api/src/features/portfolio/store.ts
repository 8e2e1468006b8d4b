import { Decimal, type Sol } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import type { TokenId, UserId } from '../../ids.ts'
import type { Snapshot } from '../../snapshot.ts'

/** What a position was worth, and the SOL that went in and out of it since. */
export interface DayChange {
  /** Mark value at the day's begin of what was held then. */
  readonly valueThen: Sol
  readonly solIn: Sol
  readonly solOut: Sol
}

interface DayRow {
  readonly value_then: string
  readonly sol_in: string
  readonly sol_out: string
}

/**
 * What happened since `since`, a whole minute, to each position that a player has or traded since then. The price then
 * is the close of the last minute candle before it; before a token's first trade, its launch price.
 */
function dayChanges(userId: UserId, since: Date) {
  return sql`
    with flow as (
      select token_id,
             coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
             coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out,
             sum(case side when 'buy' then token_amount else -token_amount end) as tokens
        from trades where user_id = ${userId} and created_at >= ${since} group by token_id
    )
    select h.token_id, coalesce(f.sol_in, 0) as sol_in, coalesce(f.sol_out, 0) as sol_out,
           trunc((h.amount - coalesce(f.tokens, 0)) * coalesce(ago.close, t.launch_price), 9) as value_then
      from holdings h
      join tokens t on t.id = h.token_id
      left join flow f on f.token_id = h.token_id
      left join lateral (
        select close from candles c where c.token_id = h.token_id and c.width = 60 and c.bucket < ${since}
         order by c.bucket desc limit 1
      ) ago on true
     where h.user_id = ${userId} and (h.amount > 0 or f.token_id is not null)`
}

/** The changes of some of a player's positions, by token. */
export async function findDayChanges(
  snapshot: Snapshot,
  { userId, since }: { userId: UserId; since: Date },
  tokenIds: readonly TokenId[],
): Promise<Map<TokenId, DayChange>> {
  const { rows } = await sql<DayRow & { token_id: TokenId }>`
    select * from (${dayChanges(userId, since)}) change where token_id = any(${tokenIds}::int[])`.execute(snapshot)
  return new Map(rows.map((row) => [row.token_id, dayChangeOf(row)]))
}

/** The changes of all of a player's positions together, those closed since among them. */
export async function sumDayChanges(snapshot: Snapshot, userId: UserId, since: Date): Promise<DayChange> {
  const { rows } = await sql<DayRow>`
    select coalesce(sum(value_then), 0) as value_then, coalesce(sum(sol_in), 0) as sol_in,
           coalesce(sum(sol_out), 0) as sol_out
      from (${dayChanges(userId, since)}) change`.execute(snapshot)
  return dayChangeOf(rows[0] ?? { value_then: '0', sol_in: '0', sol_out: '0' })
}

function dayChangeOf(row: DayRow): DayChange {
  return {
    valueThen: new Decimal(row.value_then),
    solIn: new Decimal(row.sol_in),
    solOut: new Decimal(row.sol_out),
  }
}

/** SOL that a player won or lost for good: sales, rug proceeds, launch fees. */
export async function findRealizedPnl(db: Kysely<Database>, userId: UserId): Promise<Sol> {
  const row = await db
    .selectFrom('accounts')
    .select('realized_pnl')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return new Decimal(row.realized_pnl)
}
