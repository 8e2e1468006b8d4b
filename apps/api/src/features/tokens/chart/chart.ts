import { Decimal, priceText } from '@papermoon/amm'
import {
  type Candle,
  type Chart,
  chart,
  type chartInput,
  INTERVAL_CANDLES_MAX,
  INTERVAL_TRADES_MAX,
  TICKS_MAX,
  type Token,
} from '@papermoon/contract/tokens'
import { type Db, formatNumeric } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type TradeRow, toTrade } from '@papermoon/engine'
import { patchChart } from '@papermoon/live'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type CachedQuery, isSameMinute } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { inSnapshot } from '../../../database/snapshot.ts'
import {
  type CandleRow,
  findCandles,
  findToken,
  findTrades,
  MOVE_AS_CANDLE,
  mergeCandles,
  selectMoves,
  type TokenRow,
} from '../store.ts'
import { patchEach, toToken } from '../to-token.ts'
import {
  type CandlePlan,
  fillsMinutes,
  planCandles,
  planFullChart,
  planInterval,
  type TradePlan,
} from './candle-plan.ts'

type ChartInput = z.output<typeof chartInput>

const chartQuery: CachedQuery<ChartInput, Chart> = {
  name: 'chart',
  schema: chart,
  key: ({ id, timeframe, interval = '' }) => `${id} ${timeframe} ${interval}`,
  weight: ({ interval }) => (interval === '1s' || interval === '5s' ? 75 : 15),
  isFresh: isSameMinute,
  scope: ({ id }) => id,
  applyEvents: patchEach(patchChart),
}

/** Reads a token's candles, ticks and statistics for a timeframe, from one snapshot. Throws `TokenNotFoundError`. */
export async function getChart(app: App, input: ChartInput): Promise<Chart> {
  return await app.market.queryCache.get(chartQuery, input, () => readChart(app, input))
}

async function readChart({ platform: { db, clock } }: App, { id, timeframe, interval }: ChartInput): Promise<Chart> {
  const now = clock.now()
  return await inSnapshot(db, async (snapshot) => {
    const row = await findToken(snapshot, id, now)
    if (row === undefined) throw new TokenNotFoundError()
    const plan = await choosePlan(snapshot, { timeframe, interval, row, now })
    const candles =
      plan.storedWidth === null ? await findTradeCandles(snapshot, id, plan) : await findCandles(snapshot, id, plan)
    const ticks = await findTrades(snapshot, id, TICKS_MAX)
    const whole = await findWholeRange(snapshot, { id, interval, row, plan })
    const figures = { ...toFigures(toToken(row), candles), ...whole }
    return { timeframe, width: plan.width, ...figures, ticks: ticks.reverse().map(toTick) }
  })
}

interface PlanInput extends Pick<ChartInput, 'timeframe' | 'interval'> {
  readonly row: TokenRow
  readonly now: Date
}

async function choosePlan(db: Db, { timeframe, interval, row, now }: PlanInput): Promise<CandlePlan | TradePlan> {
  if (interval === undefined) return planCandles(timeframe, row.created_at, now)
  if (interval !== 'auto') return planInterval(interval, now)
  // For a rugged token, show the time before the rug pull, because there are no trades after it.
  const end = row.rugged_at ?? now
  const computedSince = fillsMinutes(row.created_at, end) ? row.created_at : await findComputedSince(db, row)
  return planFullChart(timeframe, { launchedAt: row.created_at, now: end, computedSince })
}

interface WholeRangeInput {
  readonly id: TokenId
  readonly plan: CandlePlan | TradePlan
}

/**
 * For a young token whose candles begin after its launch, finds the high and low since the launch. For all other
 * tokens, finds nothing.
 */
async function findWholeRange(
  db: Db,
  { id, interval, row, plan }: Omit<PlanInput, 'timeframe' | 'now'> & WholeRangeInput,
): Promise<Partial<Pick<Chart, 'high' | 'low'>>> {
  if (interval !== 'auto' || plan.storedWidth !== null || row.seq <= INTERVAL_TRADES_MAX) return {}
  const range = await findYoungRange(db, id)
  return range === null ? {} : { high: priceText(new Decimal(range.high)), low: priceText(new Decimal(range.low)) }
}

/** Returns the candles and statistics of a chart; `token` is the token's state after the last candle. */
export function toFigures(token: Token, rows: readonly CandleRow[]): Omit<Chart, 'timeframe' | 'width' | 'ticks'> {
  const still = token.totalTrades === 0 ? null : token.currentPrice
  return {
    candles: rows.map(toCandle),
    high: rows.length === 0 ? still : priceText(Decimal.max(...rows.map((row) => row.high))),
    low: rows.length === 0 ? still : priceText(Decimal.min(...rows.map((row) => row.low))),
    change24h: token.priceChange24h,
    price24hAgo: token.price24hAgo,
    totalTrades: token.totalTrades,
    seq: token.seq,
  }
}

export function toTick(row: TradeRow): Chart['ticks'][number] {
  const { seq, createdAt, spotPrice, side } = toTrade(row)
  return { seq, time: createdAt, price: spotPrice, side }
}

export function toCandle(row: CandleRow): Candle {
  return {
    time: row.time.toISOString(),
    open: formatNumeric(row.open),
    high: formatNumeric(row.high),
    low: formatNumeric(row.low),
    close: formatNumeric(row.close),
    volume: formatNumeric(row.volume),
  }
}

/**
 * Computes the candles of a token from its trades, oldest first. Each event becomes a candle from the price before it
 * to the price after it, as in the engine's `startCandle`. These candles are merged like stored candles.
 * The stored minutes contain the number of trades since the plan's start. The index by token and number therefore reads
 * only these trades. If there are more than `INTERVAL_TRADES_MAX` trades, the oldest candle is left out, because it
 * would lack some. With a plan that starts at the launch, the candles up to an event are exactly as they were after it.
 */
export async function findTradeCandles(
  db: Db,
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
 * Returns the time from which a token's candles can be computed from trades: its launch, or the oldest of its newest
 * `INTERVAL_TRADES_MAX` events.
 */
async function findComputedSince(
  db: Db,
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

/** Finds the highest and lowest price of a token younger than an hour. The prices come from its stored minutes. */
async function findYoungRange(db: Db, id: TokenId): Promise<{ readonly high: string; readonly low: string } | null> {
  const { high, low } = await db
    .selectFrom('candles')
    .select((select) => [select.fn.max('high').as('high'), select.fn.min('low').as('low')])
    .where('token_id', '=', id)
    .where('width', '=', 60)
    .executeTakeFirstOrThrow()
  return high === null || low === null ? null : { high, low }
}
