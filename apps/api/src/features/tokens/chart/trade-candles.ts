import type { Database } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { INTERVAL_CANDLES_MAX, INTERVAL_TRADES_MAX } from '../schemas.ts'
import { type CandleRow, MOVE_AS_CANDLE, mergeCandles, selectMoves } from '../store.ts'
import type { TradePlan } from './candle-plan.ts'

/**
 * A token's candles computed from its trades, oldest first. Each event is a candle of its own, from the price before it
 * to the price after it, as the engine's `startCandle` has it; these are merged like stored candles.
 *
 * The stored minutes count the trades since the plan's start, so the index by token and number reads these and no
 * others. Where they are more than `INTERVAL_TRADES_MAX`, the oldest candle would lack trades and is left out.
 */
export async function findTradeCandles(db: Kysely<Database>, id: TokenId, plan: TradePlan): Promise<CandleRow[]> {
  const minute = new Date(Math.floor(plan.since.getTime() / MINUTE_MS) * MINUTE_MS)
  const { rows } = await sql<CandleRow>`
    with counted as (
      select coalesce(sum(trades), 0)::int as trades
        from candles where token_id = ${id} and width = 60 and bucket >= ${minute}
    ), recent as materialized (
      select seq, created_at, spot_price, case side when 'buy' then sol_amount else sol_amount + fee end as volume
        from trades where token_id = ${id}
       order by seq desc limit (select least(trades, ${INTERVAL_TRADES_MAX}) + 1 from counted)
    ), first as (
      select case when (select trades from counted) <= ${INTERVAL_TRADES_MAX} then ${plan.since}::timestamptz
                  else to_timestamp((floor(extract(epoch from min(created_at)) / ${plan.width}::int) + 1) * ${plan.width}::int)
             end as since
        from recent
    ), events as (
      select * from recent
      union all select seq, created_at, 0, 0 from rugs where token_id = ${id}
    ), moves as (${selectMoves(id)})
    ${mergeCandles(
      sql`
      select ${MOVE_AS_CANDLE} from moves where before is not null and created_at >= (select since from first)`,
      plan.width,
    )}
     order by time desc limit ${INTERVAL_CANDLES_MAX}`.execute(db)
  return rows.reverse()
}

const MINUTE_MS = 60_000
