import type { Price, Sol } from '@papermoon/amm'

/** What a batch adds to a pool's candles. All its orders have the same time, so it lies in one candle of each width. */
export interface CandleChange {
  high: Price
  low: Price
  /** SOL that buyers paid, or sellers received before the fee. Rug pulls add nothing. */
  volume: Sol
  trades: number
}

/** The values of a candle that add up. */
export type Traded = Readonly<Pick<CandleChange, 'volume' | 'trades'>>

/** The change of a pool's first order in a batch, which moved its spot price from `before` to `after`. */
export function startCandle(before: Price, after: Price, { volume, trades }: Traded): CandleChange {
  const [low, high] = after.lt(before) ? [after, before] : [before, after]
  return { high, low, volume, trades }
}

/** Adds the pool's next order in the batch. */
export function extendCandle(candle: CandleChange, price: Price, { volume, trades }: Traded): void {
  if (price.gt(candle.high)) candle.high = price
  if (price.lt(candle.low)) candle.low = price
  candle.volume = candle.volume.add(volume)
  candle.trades += trades
}
