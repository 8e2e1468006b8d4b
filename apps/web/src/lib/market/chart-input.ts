import type { Timeframe, TokenId } from '../api/api.ts'

/**
 * Returns the input of the query for the chart on a token's page. With this input, the candles fill the chart's width,
 * whether the token is young or old.
 */
export function toChartInput(id: TokenId, timeframe: Timeframe) {
  return { id, timeframe, interval: 'auto' } as const
}
