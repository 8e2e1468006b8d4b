import type { Candle } from '../../../lib/api/api.ts'
import { toPlotPrice } from '../echarts/plot-number.ts'
import type { Slot } from './candle-window.ts'

/** Whether the price fell within a candle. */
export function isDown({ open, close }: Candle): boolean {
  return toPlotPrice(close) < toPlotPrice(open)
}

/** Whether the last price change was a fall. Ignores minutes without trades and the zero after a rug pull. */
export function isFallen(slots: readonly Slot[]): boolean {
  const closes = slots.flatMap(({ candle }) => (candle === null ? [] : [toPlotPrice(candle.close)]))
  const first = slots[0]?.candle
  const prices = first == null ? closes : [toPlotPrice(first.open), ...closes]
  const last = prices.at(-1)
  const before = prices.findLast((price) => price !== last)
  return last !== undefined && before !== undefined && last < before
}

/** The lowest and highest price of every candle, in plot numbers. */
export function toExtremes(slots: readonly Slot[]): number[] {
  return slots.flatMap(({ candle }) => (candle === null ? [] : [toPlotPrice(candle.low), toPlotPrice(candle.high)]))
}
