import type { Chart, Timeframe, Token, TokenId } from '../api/api.ts'

/** Returns the input for the chart on a token's page. Its candles fill the width, regardless of the token's age. */
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
  /** Change in percent. It is null while the replay plays, because then no value is shown. */
  readonly change24h: string | null
}
