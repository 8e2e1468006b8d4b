import type { Price, Sol } from '@papermoon/amm'

/**
 * What a batch adds to a pool's candles. All orders in a batch have the same time, so the batch lies in one candle of
 * each width.
 */
export interface CandleChange {
  high: Price
  low: Price
  /** SOL that buyers paid, or sellers received before the fee. Rug pulls add no volume. */
  volume: Sol
  trades: number
}

/** A candle's values that are sums. */
export type Traded = Readonly<Pick<CandleChange, 'volume' | 'trades'>>

/**
 * Returns the candle change of a pool's first order in a batch. That order moved the spot price from `before` to
 * `after`.
 */
export function startCandle(before: Price, after: Price, { volume, trades }: Traded): CandleChange {
  const [low, high] = after.lt(before) ? [after, before] : [before, after]
  return { high, low, volume, trades }
}

/** Adds the pool's next order in the batch to the candle change. */
export function extendCandle(candle: CandleChange, price: Price, { volume, trades }: Traded): void {
  if (price.gt(candle.high)) candle.high = price
  if (price.lt(candle.low)) candle.low = price
  candle.volume = candle.volume.add(volume)
  candle.trades += trades
}
