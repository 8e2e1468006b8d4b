import { formatMarketCap } from '@papermoon/format'
import { toMarketCap } from '../../../components/figures/value.tsx'
import type { Chart } from '../../../lib/api/api.ts'
import { nameValue, type ValueUnit } from '../../../lib/market/value-unit.ts'
import { positionAfterKey } from '../../../lib/ui/position-after-key.ts'
import { type ChartRange, panRange, toTimes, zoomRange } from './chart-range.ts'
import { formatSlotTime, GRID, type View } from './chart-views.ts'
import type { Slot, TimeAxis } from './slots.ts'

/** The chart's data by position: slots on the time axis, or trades in the ticks view. */
export interface ChartPositions {
  readonly slots: readonly Slot[]
  readonly axis: TimeAxis
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly range: ChartRange
}

/** Returns the first and last visible position. In an empty chart, the last position is -1. */
export function findVisible({ slots, axis, ticks, view, range }: ChartPositions): { first: number; last: number } {
  if (view === 'ticks') return { first: 0, last: ticks.length - 1 }
  const { start, end } = toTimes(axis, range)
  const first = slots.findIndex(({ timeMs }) => timeMs >= start)
  return { first: Math.max(first, 0), last: slots.findLastIndex(({ timeMs }) => timeMs <= end) }
}

/** Returns the position at `x` px from the left edge of a chart with this width, or the nearest visible one. */
export function positionAt(x: number, width: number, positions: ChartPositions): number {
  const { axis, ticks, view, range } = positions
  const { first, last } = findVisible(positions)
  const part = (x - GRID.left) / (width - GRID.left - GRID.right)
  const { start, end } = toTimes(axis, range)
  const position =
    view === 'ticks'
      ? Math.floor(part * ticks.length)
      : Math.round((start + part * (end - start) - axis.startMs) / axis.widthMs - 0.5)
  return Math.max(Math.min(position, last), first)
}

const ZOOM_STEP = 1.5

/** Returns undefined for keys without a meaning. */
export function afterKey(
  key: string,
  positions: ChartPositions,
  position: number | null,
): { readonly position: number | null; readonly range: ChartRange } | undefined {
  const { slots, axis, range, view } = positions
  const { first, last } = findVisible(positions)
  const at = position ?? last
  if (key === 'Escape') return { position: null, range }
  if (view !== 'ticks') {
    const atMs = slots[at]?.timeMs ?? axis.endMs
    if (key === '+' || key === '=') return { position, range: zoomRange(axis, range, { factor: 1 / ZOOM_STEP, atMs }) }
    if (key === '-') return { position, range: zoomRange(axis, range, { factor: ZOOM_STEP, atMs }) }
    if (key === '0') return { position, range: null }
  }
  if (key === 'Home') return { position: first, range }
  if (key === 'End') return { position: last, range }
  const next = positionAfterKey(key, at, view === 'ticks' ? last : slots.length - 1)
  if (next === undefined) return undefined
  const beyond = Math.min(next - first, 0) + Math.max(next - last, 0)
  return { position: next, range: beyond === 0 ? range : panRange(axis, range, beyond * axis.widthMs) }
}

/** Describes a position with exact prices, for screen readers. */
export function describePosition(
  { slots, axis, ticks, view }: ChartPositions,
  position: number,
  unit: ValueUnit,
): string {
  const formatFigure = (price: string) => (unit === 'price' ? `${price} SOL` : formatMarketCap(toMarketCap(price)))
  if (view === 'ticks') {
    const tick = ticks[position]
    if (tick === undefined) return ''
    const time = formatSlotTime(Date.parse(tick.time))
    return `After trade ${tick.seq} (${tick.side}) at ${time}, the ${nameValue(unit)} was ${formatFigure(tick.price)}`
  }
  const slot = slots[position]
  if (slot === undefined) return ''
  const { open, high, low, close, volume } = slot.candle
  const values = Object.entries({ open, high, low, close }).map(([name, price]) => `${name} ${formatFigure(price)}`)
  return `${formatSlotTime(slot.timeMs, axis.widthMs)}: ${values.join(', ')}, volume ${volume} SOL`
}
