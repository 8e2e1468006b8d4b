import type { TimeAxis } from './slots.ts'

/** The visible part of the time axis; null means the whole axis. */
export type ChartRange = {
  readonly spanMs: number
  /** End of the visible part, ms since the epoch; null follows the latest candle. */
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

/** Returns the visible part in percent of the axis, as ECharts needs it. */
export function toPercent(axis: TimeAxis, range: ChartRange): Span {
  const { start, end } = toTimes(axis, range)
  const toPart = (timeMs: number) => ((timeMs - axis.startMs) / (axis.endMs - axis.startMs)) * 100
  return { start: toPart(start), end: toPart(end) }
}

export function fromPercent(axis: TimeAxis, { start, end }: Span): ChartRange {
  const toTime = (part: number) => axis.startMs + (part / 100) * (axis.endMs - axis.startMs)
  return toRange(axis, { start: toTime(start), end: toTime(end) })
}

/** Returns the visible part after zooming. A `factor` below 1 zooms in. The time `atMs` keeps its position. */
export function zoomRange(axis: TimeAxis, range: ChartRange, by: { factor: number; atMs: number }): ChartRange {
  const { start, end } = toTimes(axis, range)
  const span = Math.max((end - start) * by.factor, SPAN_MIN * axis.widthMs)
  const from = by.atMs - ((by.atMs - start) / (end - start)) * span
  return toRange(axis, { start: from, end: from + span })
}

/** Returns the visible part after a move. A positive distance moves towards now. */
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
