import type { Candle } from '../../../lib/api/api.ts'
import type { Slot } from './candle-window.ts'
import { toPlotted } from './plotted.ts'

/** Whether the price fell within a candle. */
export function isDown(candle: Candle): boolean {
  const { open, close } = toPlotted(candle)
  return close < open
}

/** Whether the last price change was a fall. Ignores minutes without trades and the zero after a rug pull. */
export function isFallen(slots: readonly Slot[]): boolean {
  let last: number | null = null
  for (let place = slots.length - 1; place >= 0; place -= 1) {
    const candle = slots[place]?.candle
    if (candle == null) continue
    const { open, close } = toPlotted(candle)
    last ??= close
    if (close !== last) return last < close
    if (place === 0 && open !== last) return last < open
  }
  return false
}

/** The lowest and highest price of every candle, in plot numbers. */
export function toExtremes(slots: readonly Slot[]): number[] {
  return slots.flatMap(({ candle }) => {
    if (candle === null) return []
    const { low, high } = toPlotted(candle)
    return [low, high]
  })
}
