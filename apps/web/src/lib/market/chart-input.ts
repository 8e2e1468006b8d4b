import type { Chart, Timeframe, Token, TokenId } from '../api/api.ts'

/**
 * Returns the input of the query for the chart on a token's page. With this input, the candles fill the chart's width,
 * whether the token is young or old.
 */
export function toChartInput(id: TokenId, timeframe: Timeframe) {
  return { id, timeframe, interval: 'auto' } as const
}

export interface PastChartProps {
  readonly token: Token
  readonly chart: Chart | undefined
  readonly seq: number
  /** ISO time at which the time axis ends. */
  readonly time: string
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  /** The change in percent, or null during a replay. */
  readonly change24h: string | null
}
