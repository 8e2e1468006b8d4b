import { formatMarketCap } from '@papermoon/format'
import { toMarketCap } from '../../../components/figures/value.tsx'
import type { Chart } from '../../../lib/api/api.ts'
import { nameValue, type ValueUnit } from '../../../lib/market/value-unit.ts'
import { positionAfterKey } from '../../../lib/ui/position-after-key.ts'
import { formatSlotTime, GRID, type View } from './chart-views.ts'
import type { Slot, TimeAxis } from './slots.ts'

/** The chart's data by position. A position is a slot on the time axis, or a trade in the ticks view. */
export interface ChartPositions {
  readonly slots: readonly Slot[]
  readonly axis: TimeAxis
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly range: ChartRange
}

/** Returns the first and last visible position. If the chart is empty, the last position is -1. */
export function findVisible({ slots, axis, ticks, view, range }: ChartPositions): { first: number; last: number } {
  if (view === 'ticks') return { first: 0, last: ticks.length - 1 }
  const { start, end } = toTimes(axis, range)
  const first = slots.findIndex(({ timeMs }) => timeMs >= start)
  return { first: Math.max(first, 0), last: slots.findLastIndex(({ timeMs }) => timeMs <= end) }
}

/**
 * Returns the position at `x` px from the left edge of a chart of this width. If that position is not visible, returns
 * the nearest visible position.
 */
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

/**
 * Returns the position and the visible part after a key press, or undefined for a key that does nothing in the chart.
 */
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

/** The visible part of the time axis, or null if the whole axis is visible. */
export type ChartRange = {
  readonly spanMs: number
  /** End of the visible part in ms since the epoch, or null to follow the latest candle. */
  readonly endMs: number | null
} | null

/** A range in ms since the epoch, or in percent of the time axis. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Min number of visible candles. */
export const SPAN_MIN = 12

/** Returns the start and end time of the visible part. */
export function toTimes({ startMs, endMs }: TimeAxis, range: ChartRange): Span {
  if (range === null || range.spanMs >= endMs - startMs) return { start: startMs, end: endMs }
  const end = Math.min(Math.max(range.endMs ?? endMs, startMs + range.spanMs), endMs)
  return { start: end - range.spanMs, end }
}

/** Converts the visible part to percent of the axis, which ECharts needs. */
export function toPercent(axis: TimeAxis, range: ChartRange): Span {
  const { start, end } = toTimes(axis, range)
  const toPart = (timeMs: number) => ((timeMs - axis.startMs) / (axis.endMs - axis.startMs)) * 100
  return { start: toPart(start), end: toPart(end) }
}

export function fromPercent(axis: TimeAxis, { start, end }: Span): ChartRange {
  const toTime = (part: number) => axis.startMs + (part / 100) * (axis.endMs - axis.startMs)
  return toRange(axis, { start: toTime(start), end: toTime(end) })
}

/**
 * Returns the visible part after zooming in (with a `factor` below 1) or out, while the time `atMs` stays at its
 * position.
 */
export function zoomRange(axis: TimeAxis, range: ChartRange, by: { factor: number; atMs: number }): ChartRange {
  const { start, end } = toTimes(axis, range)
  const span = Math.max((end - start) * by.factor, SPAN_MIN * axis.widthMs)
  const from = by.atMs - ((by.atMs - start) / (end - start)) * span
  return toRange(axis, { start: from, end: from + span })
}

/** Returns the visible part after a move by a distance, which is positive towards the present. */
export function panRange(axis: TimeAxis, range: ChartRange, byMs: number): ChartRange {
  const { start, end } = toTimes(axis, range)
  return toRange(axis, { start: start + byMs, end: end + byMs })
}

function toRange({ startMs, endMs, widthMs }: TimeAxis, { start, end }: Span): ChartRange {
  const spanMs = end - start
  // Allow a small difference, because a percentage is not exact.
  const inexactMs = widthMs / 100
  if (spanMs >= endMs - startMs - inexactMs) return null
  return { spanMs, endMs: end >= endMs - inexactMs ? null : Math.max(end, startMs + spanMs) }
}
