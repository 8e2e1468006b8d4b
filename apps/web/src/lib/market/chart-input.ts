import type { Chart, Timeframe, Token, TokenId } from '../api/api.ts'

/**
 * Returns the query input for the chart on a token's page. The candles fill the chart's width, regardless of the
 * token's age.
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
  /** The change in percent, or null while a replay plays. */
  readonly change24h: string | null
}
