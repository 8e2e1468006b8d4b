import type { Price, Sol } from '@papermoon/amm'

/**
 * A batch's change to a pool's candles. The batch lies in one candle of each width, because all its orders have the
 * same time.
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

/** Starts a pool's candle in a batch with an order that moved the spot price from `before` to `after`. */
export function startCandle(before: Price, after: Price, { volume, trades }: Traded): CandleChange {
  const [low, high] = after.lt(before) ? [after, before] : [before, after]
  return { high, low, volume, trades }
}

/** Adds the pool's next order in the batch to the change. */
export function extendCandle(candle: CandleChange, price: Price, { volume, trades }: Traded): void {
  if (price.gt(candle.high)) candle.high = price
  if (price.lt(candle.low)) candle.low = price
  candle.volume = candle.volume.add(volume)
  candle.trades += trades
}
