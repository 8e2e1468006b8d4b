import type { Timeframe, TokenId } from '../api/api.ts'

/** The input of a token's chart on its page: candles that fill the width, whatever the token's age. */
export function toChartInput(id: TokenId, timeframe: Timeframe) {
  return { id, timeframe, interval: 'auto' } as const
}
