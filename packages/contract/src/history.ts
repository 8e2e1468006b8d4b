import { z } from 'zod'
import { BUY_TRADE, CANDLE, LAUNCHED_AT, TOKEN_NAMED } from './example-market.ts'
import { tokenId } from './ids.ts'
import { query } from './procedure.ts'
import { NEXT_PAGE } from './shapes.ts'
import { time, timeRange } from './times.ts'
import { candle, countPageReads, marketTrades, pageLimit, tradeCursor } from './tokens.ts'

export const CANDLES_PAGE_MAX = 1_500

export const marketTradesInput = z.object({
  limit: pageLimit.default(50),
  cursor: tradeCursor.describe(NEXT_PAGE),
  ...timeRange,
})
export type MarketTradesInput = z.output<typeof marketTradesInput>
export const marketTradesPage = z.object({ trades: marketTrades, nextCursor: z.int().nullable() })
export type MarketTradesPage = z.output<typeof marketTradesPage>

/**
 * Candle widths in seconds. The server computes candles of the first three widths from trades. The server stores
 * candles of the other widths.
 */
export const CANDLE_INTERVALS = { '1s': 1, '5s': 5, '15s': 15, '1m': 60, '1h': 3_600, '1d': 86_400 } as const
export const candlesInput = z.object({
  id: tokenId,
  interval: z.enum(['1s', '5s', '15s', '1m', '1h', '1d']).default('1m').describe('Width of each candle.'),
  limit: z.int().min(1).max(CANDLES_PAGE_MAX).default(300),
  cursor: time.optional().describe(NEXT_PAGE),
  from: timeRange.from.describe('Return only candles that start at or after this time.'),
  to: timeRange.to.describe('Return only candles that start before this time.'),
})
export type CandlesInput = z.output<typeof candlesInput>
/** A candle, after whose `seq` a client can continue with the event stream. */
export const historyCandle = candle
  .extend({
    seq: z
      .int()
      .describe(
        'Sequence number of the last event in the candle. Stream events with a higher seq are not yet in the candle.',
      ),
  })
  .meta({ id: 'HistoryCandle' })
export type HistoryCandle = z.output<typeof historyCandle>
export const candlesPage = z.object({ candles: z.array(historyCandle), nextCursor: z.iso.datetime().nullable() })
export type CandlesPage = z.output<typeof candlesPage>

export const historyProcedures = {
  trades: query({
    access: 'anyone',
    inFairs: true,
    reads: countPageReads,
    input: marketTradesInput,
    output: marketTradesPage,
    rest: 'GET /api/trades',
    operationId: 'listTrades',
    list: 'trades',
    summary: 'Lists all trades of the market with their tokens, newest first.',
    errors: ['BUSY'],
    example: {
      input: { limit: 50, from: LAUNCHED_AT },
      response: [{ ...BUY_TRADE, ...TOKEN_NAMED }],
    },
  }),
  candles: query({
    access: 'anyone',
    inFairs: true,
    reads: countPageReads,
    input: candlesInput,
    output: candlesPage,
    rest: 'GET /api/tokens/{id}/candles',
    operationId: 'listTokenCandles',
    list: 'candles',
    summary: 'Lists a token’s candles, newest first, at most 1,500 per page.',
    errors: ['TOKEN_NOT_FOUND', 'BUSY'],
    example: { input: { id: 7, interval: '1m', from: LAUNCHED_AT }, response: [{ ...CANDLE, seq: 1 }] },
  }),
}
