import { Decimal } from '@papermoon/amm'
import { type CardFigures, cardFigures, SPARKLINE_STEPS } from '@papermoon/contract/tokens'
import type { Tx } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { sql } from 'kysely'
import { defineTimedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { visibleTokens } from '../../../database/conditions.ts'
import { lastDayStart } from '../../../lib/durations.ts'
import { getEach } from '../get.ts'

/** Max age of a card's figures in ms. All viewers share the figures, and no event updates them. */
const AGE_MAX_MS = 10_000

const cardFiguresQuery = defineTimedQuery<TokenId, CardFigures>({
  name: 'card figures',
  schema: cardFigures,
  isFresh: (atMs, nowMs) => nowMs >= atMs && nowMs < atMs + AGE_MAX_MS,
})

/** Returns the number of holders and the sparkline of the visible tokens with these ids, in the order of `ids`. */
export async function getCardFigures(app: App, ids: readonly TokenId[]): Promise<readonly CardFigures[]> {
  return await getEach(app, { query: cardFiguresQuery, ids }, async (missing) => {
    const now = app.platform.clock.now()
    const rows = await app.platform.db.transaction().execute(async (tx) => {
      await useIndexesOnly(tx)
      return (await cardFigureRows(missing, now).execute(tx)).rows
    })
    return new Map(rows.map((row) => [row.id as TokenId, toCardFigures(row, now)]))
  })
}

/**
 * Makes the transaction use plain index scans, which can stop at a limit. A bitmap scan would first list all holdings
 * of a token.
 */
export async function useIndexesOnly(tx: Tx): Promise<void> {
  await sql`select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(tx)
}

/**
 * Max number of holdings that are counted per token. If there are more, the number of holders comes from the last
 * checkpoint.
 */
const HOLDINGS_COUNTED = 1_000
/**
 * Size of a holding in a checkpoint, in bytes (`past/past-holders.ts`). The number of holdings follows from the length
 * of the checkpoint.
 */
const HOLDING_BYTES = 12
/** A token younger than this age in ms has a sparkline of minutes. Older tokens have a sparkline of hours. */
const YOUNG_MS = 3 * 3_600_000

interface FigureRow {
  readonly id: number
  readonly holders: number
  readonly has_more: boolean
  readonly began_at: Date
  readonly first_price: string
  /** The end times of candles in ms, oldest first. */
  readonly ends_ms: number[]
  readonly closes: string[]
}

/**
 * Returns the SQL query. A test checks the query's plan. The query reads at most 1,000 holdings and 181 candles per
 * token, even if there are more holders and trades.
 */
export function cardFigureRows(ids: readonly TokenId[], now: Date) {
  const from = lastDayStart(now)
  const youngFrom = new Date(now.getTime() - YOUNG_MS)
  return sql<FigureRow>`
    select t.id, greatest(counted.holders, known.holders) as holders, counted.has_more,
           greatest(t.created_at, ${from}::timestamptz) as began_at, coalesce(ago.close, t.launch_price) as first_price,
           coalesce(line.ends_ms, '{}') as ends_ms, coalesce(line.closes, '{}') as closes
      from unnest(${[...ids]}::int[]) wanted (id)
      join ${visibleTokens} t on t.id = wanted.id
      cross join lateral (
        select (count(*) filter (where amount > 0))::int as holders, count(*) > ${HOLDINGS_COUNTED} as has_more
          from (select amount from holdings where token_id = t.id limit ${HOLDINGS_COUNTED + 1}) h
      ) counted
      left join lateral (
        select octet_length(holdings) / ${HOLDING_BYTES} as holders from holder_checkpoints
         where counted.has_more and token_id = t.id order by seq desc limit 1
      ) known on true
      left join lateral (
        select close from candles where token_id = t.id and width = 60 and bucket < ${from} order by bucket desc limit 1
      ) ago on true
      cross join lateral (
        select array_agg(extract(epoch from bucket + width * interval '1 second') * 1000 order by bucket)::float8[] as ends_ms,
               array_agg(close order by bucket)::text[] as closes
          from (
            select bucket, width, close from candles
             where t.created_at >= ${youngFrom} and token_id = t.id and width = 60 and bucket >= ${youngFrom}
            union all
            select bucket, width, close from candles
             where t.created_at < ${youngFrom} and token_id = t.id and width = 3600 and bucket >= ${from}
          ) parts
      ) line`
}

function toCardFigures({ id, holders, has_more, ...row }: FigureRow, now: Date): CardFigures {
  const sparkline = toSparkline({
    startMs: row.began_at.getTime(),
    endMs: now.getTime(),
    firstPrice: row.first_price,
    closes: row.closes.map((price, index) => ({ price, atMs: row.ends_ms[index] ?? 0 })),
  })
  return { id: id as TokenId, holders, areHoldersExact: !has_more, sparkline: sparkline.map(toShortPrice) }
}

/** Number of significant digits of a price, which is enough for drawing. */
const DIGITS = 5

function toShortPrice(price: string): string {
  return new Decimal(price).toSignificantDigits(DIGITS).toFixed()
}

interface PriceLine {
  readonly startMs: number
  readonly endMs: number
  /** The price at the start of the sparkline. */
  readonly firstPrice: string
  /** Closing prices of candles with the candles' end times, oldest first. The last candle may end in the future. */
  readonly closes: readonly { readonly atMs: number; readonly price: string }[]
}

/**
 * Returns prices at equal intervals from the start to the end, both included. The price stays the same between two
 * trades.
 */
export function toSparkline({ startMs, endMs, firstPrice, closes }: PriceLine): string[] {
  const points = [firstPrice]
  let price = firstPrice
  let next = 0
  for (let step = 1; step <= SPARKLINE_STEPS; step++) {
    const atMs = startMs + ((endMs - startMs) * step) / SPARKLINE_STEPS
    for (; next < closes.length; next++) {
      const close = closes[next]
      if (close === undefined || Math.min(close.atMs, endMs) > atMs) break
      price = close.price
    }
    points.push(price)
  }
  return points
}
