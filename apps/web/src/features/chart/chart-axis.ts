import { Decimal } from '@papermoon/amm'
import { USD_PER_SOL_WHOLE } from '@papermoon/amm/usd-per-sol'
import { formatMarketCap, priceLabel } from '@papermoon/format'
import type { Candle, Chart } from '../../lib/api/api.ts'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import type { View } from './chart-views.ts'

/** A position on the time axis with its candle. */
export interface Slot {
  /** Start time of the candle, in ms since the epoch. */
  readonly timeMs: number
  readonly candle: Candle
}

/** Start and end of the axis, in ms since the epoch. */
export interface TimeAxis {
  readonly startMs: number
  readonly endMs: number
  /** Length of a candle in ms. */
  readonly widthMs: number
}

/** The chart's data by position. A position is a slot on the time axis, or a trade in the ticks view. */
export interface ChartPositions {
  readonly slots: readonly Slot[]
  readonly axis: TimeAxis
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly range: ChartRange
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

/** Space around the plot in px. The value axis is in the right margin. */
export const GRID = { top: 14, right: 84, bottom: 26, left: 10 } as const
/** Min number of visible candles. */
export const SPAN_MIN = 12
/** Max number of slots on the axis. If there are more slots, the oldest are dropped. */
const SLOTS_MAX = 10_000
/** Min number of slots on the axis, so that a single candle does not fill the width. */
const SLOTS_MIN = 48

/**
 * Returns one slot per candle length, oldest first. Fills gaps, the time before the first candle, and the time up to
 * the present with flat candles.
 */
export function toSlots(candles: readonly Candle[], widthMs: number, nowMs: number): Slot[] {
  const [first] = candles
  if (first === undefined) return []
  const times = candles.map(({ time }) => Date.parse(time))
  const endMs = Math.max(nowMs, times.at(-1) ?? 0)
  const firstMs = (times[0] ?? 0) - widthMs
  const dropped = Math.max(Math.floor((endMs - firstMs) / widthMs) + 1 - SLOTS_MAX, 0)
  const slots: Slot[] = []
  let next = 0
  let price = first.open
  for (let timeMs = firstMs + dropped * widthMs; timeMs <= endMs; timeMs += widthMs) {
    while ((times[next] ?? timeMs) < timeMs) next += 1
    const candle = times[next] === timeMs ? candles[next] : undefined
    price = candles[candle === undefined ? next - 1 : next]?.close ?? price
    slots.push({ timeMs, candle: candle ?? stillCandle(price, timeMs) })
  }
  return slots
}

function stillCandle(price: string, timeMs: number): Candle {
  return { time: new Date(timeMs).toISOString(), open: price, high: price, low: price, close: price, volume: '0' }
}

/** Returns the time axis of the slots. The current chart's axis leaves space for future candles of a young token. */
export function toAxis(slots: readonly Slot[], widthMs: number, isPast: boolean): TimeAxis {
  const firstMs = slots[0]?.timeMs ?? 0
  const count = Math.max(slots.length, isPast ? 1 : SLOTS_MIN)
  const startMs = firstMs - widthMs / 2
  return { startMs, endMs: startMs + count * widthMs, widthMs }
}

/** Returns the index of the slot at a time, even if there is no such slot. */
export function findSlot({ startMs, widthMs }: TimeAxis, timeMs: number): number {
  return Math.floor((timeMs - startMs - widthMs / 2) / widthMs)
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

const MINUTE_MS = 60_000
// Do not use `Intl`, because its first use delays a page's start by more than 10 ms.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Formats a slot's time, with seconds if candles are shorter than a minute. */
export function formatSlotTime(timeMs: number, widthMs = MINUTE_MS): string {
  const date = new Date(timeMs)
  const parts = [date.getHours(), date.getMinutes(), ...(widthMs < MINUTE_MS ? [date.getSeconds()] : [])]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${clock}`
}

const LAMPORTS_PER_SOL = 1_000_000_000
/** Max number of significant digits on the axis. The texts above the chart show exact values. */
const AXIS_DIGITS = 5

/**
 * Converts a price in SOL to lamports per token, for display only. The result equals the market cap in SOL, because the
 * supply in tokens equals the number of lamports per SOL. The function moves the decimal point in the text, and rounds
 * only once.
 */
export function toPlotPrice(sol: string): number {
  return Number(`${sol}e9`)
}

/** Converts lamports per token back to a price in SOL. */
export function toPrice(plotted: number): string {
  return new Decimal(plotted).div(LAMPORTS_PER_SOL).toSignificantDigits(AXIS_DIGITS, Decimal.ROUND_HALF_UP).toFixed()
}

/** Formats lamports per token for the value axis. */
export function axisLabel(plotted: number, unit: ValueUnit): string {
  // Show no label below zero, although the axis can reach below zero under the lowest candle.
  if (plotted < 0) return ''
  return unit === 'price' ? priceLabel(toPrice(plotted)) : capLabel(plotted)
}

/** Matches suffixes for thousands, millions and billions of dollars, as in `formatMarketCap`. */
const SUFFIX = /[KMB]$/
/** Max number of significant digits of a market cap. Fewer digits could make neighbouring labels equal. */
const CAP_DIGITS = 4

function capLabel(plotted: number): string {
  const text = formatMarketCap(plotted.toFixed(9))
  const suffix = SUFFIX.exec(text)?.[0]
  if (suffix === undefined) return text
  const unitUsd = { K: 1e3, M: 1e6, B: 1e9 }[suffix] ?? 1
  return `$${Number(((plotted * USD_PER_SOL_WHOLE) / unitUsd).toPrecision(CAP_DIGITS))}${suffix}`
}
