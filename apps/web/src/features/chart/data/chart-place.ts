import { formatMarketCap } from '@papermoon/format'
import { toMarketCap } from '../../../components/figures/value.tsx'
import type { Chart } from '../../../lib/api/api.ts'
import { nameValue, type ValueUnit } from '../../../lib/market/value-unit.ts'
import { positionAfterKey } from '../../../lib/ui/position-after-key.ts'
import { formatSlotTime, GRID, type View } from './chart-views.ts'
import { type ChartWindow, panWindow, toTimes, zoomWindow } from './chart-window.ts'
import type { Slot, TimeAxis } from './slots.ts'

/** The chart's data by position: slots on the time axis, or trades in the ticks view. */
export interface Places {
  readonly slots: readonly Slot[]
  readonly axis: TimeAxis
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly window: ChartWindow
}

/** Returns the first and last visible position. In an empty chart, the last position is -1. */
export function findVisible({ slots, axis, ticks, view, window }: Places): { first: number; last: number } {
  if (view === 'ticks') return { first: 0, last: ticks.length - 1 }
  const { start, end } = toTimes(axis, window)
  const first = slots.findIndex(({ timeMs }) => timeMs >= start)
  return { first: Math.max(first, 0), last: slots.findLastIndex(({ timeMs }) => timeMs <= end) }
}

/** Returns the position at `x` px from the left edge of a chart with this width, or the nearest visible one. */
export function placeAt(x: number, width: number, places: Places): number {
  const { axis, ticks, view, window } = places
  const { first, last } = findVisible(places)
  const part = (x - GRID.left) / (width - GRID.left - GRID.right)
  const { start, end } = toTimes(axis, window)
  const place =
    view === 'ticks'
      ? Math.floor(part * ticks.length)
      : Math.round((start + part * (end - start) - axis.startMs) / axis.widthMs - 0.5)
  return Math.max(Math.min(place, last), first)
}

const ZOOM_STEP = 1.5

/** Returns undefined for keys without a meaning. */
export function afterKey(
  key: string,
  places: Places,
  place: number | null,
): { readonly place: number | null; readonly window: ChartWindow } | undefined {
  const { slots, axis, window, view } = places
  const { first, last } = findVisible(places)
  const at = place ?? last
  if (key === 'Escape') return { place: null, window }
  if (view !== 'ticks') {
    const atMs = slots[at]?.timeMs ?? axis.endMs
    if (key === '+' || key === '=') return { place, window: zoomWindow(axis, window, { factor: 1 / ZOOM_STEP, atMs }) }
    if (key === '-') return { place, window: zoomWindow(axis, window, { factor: ZOOM_STEP, atMs }) }
    if (key === '0') return { place, window: null }
  }
  if (key === 'Home') return { place: first, window }
  if (key === 'End') return { place: last, window }
  const next = positionAfterKey(key, at, view === 'ticks' ? last : slots.length - 1)
  if (next === undefined) return undefined
  const beyond = Math.min(next - first, 0) + Math.max(next - last, 0)
  return { place: next, window: beyond === 0 ? window : panWindow(axis, window, beyond * axis.widthMs) }
}

/** Describes a position with exact prices, for screen readers. */
export function placeText({ slots, axis, ticks, view }: Places, place: number, unit: ValueUnit): string {
  const formatFigure = (price: string) => (unit === 'price' ? `${price} SOL` : formatMarketCap(toMarketCap(price)))
  if (view === 'ticks') {
    const tick = ticks[place]
    if (tick === undefined) return ''
    const time = formatSlotTime(Date.parse(tick.time))
    return `After trade ${tick.seq} (${tick.side}) at ${time}, the ${nameValue(unit)} was ${formatFigure(tick.price)}`
  }
  const slot = slots[place]
  if (slot === undefined) return ''
  const { open, high, low, close, volume } = slot.candle
  const values = Object.entries({ open, high, low, close }).map(([name, price]) => `${name} ${formatFigure(price)}`)
  return `${formatSlotTime(slot.timeMs, axis.widthMs)}: ${values.join(', ')}, volume ${volume} SOL`
}
