import type { PastChart, PastChartInput } from '@papermoon/contract/past'
import { TICKS_MAX } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { type CandlePlan, planCandles, planFullChart, type TradePlan } from '../chart/candle-plan.ts'
import { findTradeCandles, toFigures, toTick } from '../chart/chart.ts'
import { type CandleRow, mergeCandles, type TokenRow } from '../store.ts'
import { toToken } from '../to-token.ts'
import type { CandlePart } from './read-token.ts'
import { type PastReader, readPast, readTokenThen } from './read-token.ts'
import { alignToSpan, HOUR_MS, MINUTE_MS } from './store.ts'

/** Max number of trades that are read for candles narrower than a minute. */
const TRADES_READ_MAX = 2_000

/** Reads the chart of a token right after one of its events. Throws the errors of `getMoment`. */
export async function getPastChart(reader: PastReader, { timeframe, ...position }: PastChartInput): Promise<PastChart> {
  return await readPast(reader, async (snapshot) => {
    const { row, at, trades, minute } = await readTokenThen(snapshot, position)
    const plan = planPast(timeframe, row, { at, seq: position.seq })
    const candles =
      minute === null
        ? []
        : plan.storedWidth === null
          ? await findTradeCandles(snapshot, position.tokenId, { ...plan, upTo: position.seq })
          : await findPastCandles(snapshot, position.tokenId, { plan, minute })
    const figures = toFigures(toToken({ ...row, creator_holding: '0' }), candles)
    const ticks = trades.slice(0, TICKS_MAX).reverse().map(toTick)
    return { timeframe, width: plan.width, ...figures, ticks }
  })
}

/**
 * Plans the candles as for the chart on a token's page. If a busy young token has too many trades to read, the plan
 * uses minutes.
 */
function planPast(
  timeframe: PastChartInput['timeframe'],
  { created_at: launchedAt }: Pick<TokenRow, 'created_at'>,
  { at, seq }: { readonly at: Date; readonly seq: number },
): CandlePlan | TradePlan {
  if (seq > TRADES_READ_MAX) return planCandles(timeframe, launchedAt, at)
  return planFullChart(timeframe, { launchedAt, now: at, computedSince: launchedAt })
}

/**
 * Finds the candles at a time when `minute` was incomplete, oldest first, merged to the plan's width. Leaves out later
 * trades of the same hour and day by using narrower candles for the earlier part.
 */
async function findPastCandles(
  db: Db,
  tokenId: TokenId,
  { plan, minute }: { readonly plan: CandlePlan; readonly minute: CandlePart },
): Promise<CandleRow[]> {
  const { bucket, open, high, low, close, volume } = minute
  const keptMs = plan.storedWidth * 1_000
  const hour = alignToSpan(HOUR_MS, bucket)
  const hoursSince = alignToSpan(Math.max(keptMs, HOUR_MS), bucket)
  const minutesSince = keptMs === MINUTE_MS ? bucket : hour
  const candles = (width: number, since: Date, until: Date): RawBuilder<unknown> => sql`
    select bucket, open, high, low, close, volume, bucket as place from candles
     where token_id = ${tokenId} and width = ${width}::int and bucket >= ${since} and bucket < ${until}`
  const parts = sql`
    ${candles(plan.storedWidth, plan.since, alignToSpan(keptMs, bucket))}
    union all ${candles(3_600, hoursSince, hour)}
    union all ${candles(60, minutesSince, bucket)}
    union all select ${bucket}::timestamptz, ${open}::numeric, ${high}::numeric, ${low}::numeric,
                     ${close}::numeric, ${volume}::numeric, ${bucket}::timestamptz`
  const { rows } = await sql<CandleRow>`${mergeCandles(parts, plan.width)} order by time`.execute(db)
  return rows
}
