import { tokenId } from '@papermoon/engine'
import { z } from 'zod'
import { time, timeRange } from '../../../validation/times.ts'
import { candle, marketTrades, PAGE_MAX } from '../schemas.ts'

export const CANDLES_PAGE_MAX = 1_500

const limit = z.int().min(1).max(PAGE_MAX)
const textCursor = (describe: string) => z.string().max(60).optional().describe(describe)
const NEXT = 'Where the page before ended: its `nextCursor`; over REST, the Link header has the whole address.'
/** Cursors of a token's trades and the market's are their own numbers. */
const tradeCursor = z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional()

export const tokenTradesInput = z.object({
  id: tokenId,
  limit: limit.optional().describe('50, if left out.'),
  cursor: tradeCursor.describe(
    'The trades before the one with this `seq`; over REST, the Link header has the address.',
  ),
  ...timeRange,
})
export type TokenTradesInput = z.output<typeof tokenTradesInput>

export const marketTradesInput = z.object({
  limit: limit.default(50),
  cursor: tradeCursor.describe(NEXT),
  ...timeRange,
})
export type MarketTradesInput = z.output<typeof marketTradesInput>
export const marketTradesPage = z.object({ trades: marketTrades, nextCursor: z.int().nullable() })
export type MarketTradesPage = z.output<typeof marketTradesPage>

export const holdersInput = z.object({
  id: tokenId,
  limit: limit.optional().describe('20, if left out.'),
  cursor: textCursor(
    'The holders after the one with this rank, user id and amount: `20-417-1500.5`; over REST, the Link header has the address.',
  ),
})
export type HoldersInput = z.output<typeof holdersInput>

/** Widths of candles in seconds. The first three are computed from trades, the others stored. */
export const CANDLE_INTERVALS = { '1s': 1, '5s': 5, '15s': 15, '1m': 60, '1h': 3_600, '1d': 86_400 } as const
export const candlesInput = z.object({
  id: tokenId,
  interval: z.enum(['1s', '5s', '15s', '1m', '1h', '1d']).default('1m').describe('Width of a candle.'),
  limit: z.int().min(1).max(CANDLES_PAGE_MAX).default(300),
  cursor: time
    .optional()
    .describe('The candles that start before this time; over REST, the Link header has the address.'),
  from: timeRange.from.describe('No candle that starts before this time.'),
  to: timeRange.to.describe('No candle that starts at or after this time.'),
})
export type CandlesInput = z.output<typeof candlesInput>
/** A candle that can be joined with the event stream. */
export const historyCandle = candle
  .extend({
    seq: z
      .int()
      .describe(
        'Number of the last event in the candle, a trade or the rug pull: events of the stream with a larger one are not in it.',
      ),
  })
  .meta({ id: 'HistoryCandle' })
export type HistoryCandle = z.output<typeof historyCandle>
export const candlesPage = z.object({ candles: z.array(historyCandle), nextCursor: z.iso.datetime().nullable() })
export type CandlesPage = z.output<typeof candlesPage>
