import type { Chart, Timeframe, Token, TokenId } from '../api/api.ts'

/** The input of a token's chart on its page: candles that fill the width, whatever the token's age. */
export function toChartInput(id: TokenId, timeframe: Timeframe) {
  return { id, timeframe, interval: 'auto' } as const
}

export interface PastChartProps {
  readonly token: Token
  readonly chart: Chart | undefined
  readonly seq: number
  /** ISO time of the moment, where the time axis ends. */
  readonly time: string
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  /** Percent; null, while the film plays, shows no figure. */
  readonly change24h: string | null
}
