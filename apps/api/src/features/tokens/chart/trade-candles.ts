import { INTERVAL_CANDLES_MAX, INTERVAL_TRADES_MAX } from '@papermoon/contract/tokens'
import type { Database } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { type CandleRow, MOVE_AS_CANDLE, mergeCandles, selectMoves, type TokenRow } from '../store.ts'
import type { TradePlan } from './candle-plan.ts'

/**
 * A token's candles computed from its trades, oldest first. Each event is a candle of its own, from the price before it
 * to the price after it, as the engine's `startCandle` has it; these are merged like stored candles.
 *
 * The stored minutes count the trades since the plan's start, so the index by token and number reads these and no
 * others. Where they are more than `INTERVAL_TRADES_MAX`, the oldest candle would lack trades and is left out. Up to an
 * event they are as they were right after it, for a plan that starts at the launch.
 */
export async function findTradeCandles(
  db: Kysely<Database>,
  id: TokenId,
  { width, since, upTo = Number.MAX_SAFE_INTEGER }: TradePlan & { readonly upTo?: number },
): Promise<CandleRow[]> {
  const minute = new Date(Math.floor(since.getTime() / MINUTE_MS) * MINUTE_MS)
  const { rows } = await sql<CandleRow>`
    with counted as (
      select least(coalesce(sum(trades), 0), ${upTo}::bigint)::int as trades
        from candles where token_id = ${id} and width = 60 and bucket >= ${minute}
    ), recent as materialized (
      select seq, created_at, spot_price, case side when 'buy' then sol_amount else sol_amount + fee end as volume
        from trades where token_id = ${id} and seq <= ${upTo}::bigint
       order by seq desc limit (select least(trades, ${INTERVAL_TRADES_MAX}) + 1 from counted)
    ), first as (
      select case when (select trades from counted) <= ${INTERVAL_TRADES_MAX} then ${since}::timestamptz
                  else to_timestamp((floor(extract(epoch from min(created_at)) / ${width}::int) + 1) * ${width}::int)
             end as since
        from recent
    ), events as (
      select * from recent
      union all select seq, created_at, 0, 0 from rugs where token_id = ${id} and seq <= ${upTo}::bigint
    ), moves as (${selectMoves(id)})
    ${mergeCandles(
      sql`
      select ${MOVE_AS_CANDLE} from moves where before is not null and created_at >= (select since from first)`,
      width,
    )}
     order by time desc limit ${INTERVAL_CANDLES_MAX}`.execute(db)
  return rows.reverse()
}

const MINUTE_MS = 60_000

/**
 * From when on a token's candles can be computed from its trades: its launch, or the oldest of its newest
 * `INTERVAL_TRADES_MAX` events.
 */
export async function findComputedSince(
  db: Kysely<Database>,
  { id, seq, created_at }: Pick<TokenRow, 'id' | 'seq' | 'created_at'>,
): Promise<Date> {
  if (seq <= INTERVAL_TRADES_MAX) return created_at
  const oldest = await db
    .selectFrom('trades')
    .select('created_at')
    .where('token_id', '=', id)
    .where('seq', '>', seq - INTERVAL_TRADES_MAX)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return oldest?.created_at ?? created_at
}

/** The highest and the lowest price of a token's life, from its stored minutes: for a token younger than an hour. */
export async function findYoungRange(
  db: Kysely<Database>,
  id: TokenId,
): Promise<{ readonly high: string; readonly low: string } | null> {
  const { high, low } = await db
    .selectFrom('candles')
    .select((select) => [select.fn.max('high').as('high'), select.fn.min('low').as('low')])
    .where('token_id', '=', id)
    .where('width', '=', 60)
    .executeTakeFirstOrThrow()
  return high === null || low === null ? null : { high, low }
}
