import type { Price, Sol } from '@papermoon/amm'

/** A batch's part of a pool's candle. A batch has one time, so it lies within one candle of each width. */
export interface CandleChange {
  high: Price
  low: Price
  /** SOL that buyers paid, and that sellers were paid before the fee. A rug pull adds nothing. */
  volume: Sol
  trades: number
}

/** The part of a candle's change that adds up. */
export type Traded = Readonly<Pick<CandleChange, 'volume' | 'trades'>>

/** A batch's first order on a pool moved its spot price from `before` to `after`. */
export function startCandle(before: Price, after: Price, { volume, trades }: Traded): CandleChange {
  const [low, high] = after.lt(before) ? [after, before] : [before, after]
  return { high, low, volume, trades }
}

/** Adds the batch's next order on the pool. */
export function extendCandle(candle: CandleChange, price: Price, { volume, trades }: Traded): void {
  if (price.gt(candle.high)) candle.high = price
  if (price.lt(candle.low)) candle.low = price
  candle.volume = candle.volume.add(volume)
  candle.trades += trades
}
