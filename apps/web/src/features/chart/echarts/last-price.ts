import { isFallen, type Slot } from '../data/candle-window.ts'
import { MARGIN, type Plot, PRICES_BOTTOM, toPlotPrice } from './plot-layout.ts'
import type { PriceScale } from './price-scale.ts'

export interface LastPrice {
  readonly value: number
  readonly isDown: boolean
}

/** The latest price of all slots; null without candles. */
export function findLastPrice(slots: readonly Slot[]): LastPrice | null {
  const last = slots.findLast(({ candle }) => candle !== null)?.candle
  return last == null ? null : { value: toPlotPrice(last.close), isDown: isFallen(slots) }
}

/** Height of the label of the last price, pixels. */
const LABEL_HEIGHT = 20

/** Where the label of the last price is: at its price, or at the edge behind which that is. */
export interface LastLabel {
  /** Y of its centre, pixels. */
  readonly y: number
  readonly beyond: 'above' | 'below' | null
}

export function placeLastLabel(value: number, scale: PriceScale, plot: Plot): LastLabel {
  const floor = plot.height - PRICES_BOTTOM
  const y = toY(value, scale, plot)
  if (y < MARGIN.top) return { y: MARGIN.top, beyond: 'above' }
  if (y > floor) return { y: floor, beyond: 'below' }
  return { y, beyond: null }
}

/** Whether an axis label would touch the label of the last price. */
export function isCovered(value: number, last: LastLabel, { scale, plot }: { scale: PriceScale; plot: Plot }): boolean {
  return Math.abs(toY(value, scale, plot) - last.y) < LABEL_HEIGHT
}

/** The price at a Y of the whole picture, at least 0; the inverse of `toY`. */
export function toPlotValue(y: number, { min, max }: PriceScale, { height }: Plot): number {
  const floor = height - PRICES_BOTTOM
  return Math.max(min + ((floor - y) / (floor - MARGIN.top)) * (max - min), 0)
}

/** Y of a price in pixels of the whole picture. */
export function toY(value: number, { min, max }: PriceScale, { height }: Plot): number {
  const floor = height - PRICES_BOTTOM
  return floor - ((value - min) / (max - min)) * (floor - MARGIN.top)
}
