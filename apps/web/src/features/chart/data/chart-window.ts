import type { TimeAxis } from './slots.ts'

/** The visible part of the time axis; null means the whole axis. */
export type ChartWindow = {
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
export function toTimes({ startMs, endMs }: TimeAxis, window: ChartWindow): Span {
  if (window === null || window.spanMs >= endMs - startMs) return { start: startMs, end: endMs }
  const end = Math.min(Math.max(window.endMs ?? endMs, startMs + window.spanMs), endMs)
  return { start: end - window.spanMs, end }
}

/** Returns the visible part in percent of the axis, as ECharts needs it. */
export function toPercent(axis: TimeAxis, window: ChartWindow): Span {
  const { start, end } = toTimes(axis, window)
  const toPart = (timeMs: number) => ((timeMs - axis.startMs) / (axis.endMs - axis.startMs)) * 100
  return { start: toPart(start), end: toPart(end) }
}

export function fromPercent(axis: TimeAxis, { start, end }: Span): ChartWindow {
  const toTime = (part: number) => axis.startMs + (part / 100) * (axis.endMs - axis.startMs)
  return toWindow(axis, { start: toTime(start), end: toTime(end) })
}

/** Returns the visible part after zooming. A `factor` below 1 zooms in. The time `atMs` keeps its position. */
export function zoomWindow(axis: TimeAxis, window: ChartWindow, by: { factor: number; atMs: number }): ChartWindow {
  const { start, end } = toTimes(axis, window)
  const span = Math.max((end - start) * by.factor, SPAN_MIN * axis.widthMs)
  const from = by.atMs - ((by.atMs - start) / (end - start)) * span
  return toWindow(axis, { start: from, end: from + span })
}

/** Returns the visible part after a move. A positive distance moves towards now. */
export function panWindow(axis: TimeAxis, window: ChartWindow, byMs: number): ChartWindow {
  const { start, end } = toTimes(axis, window)
  return toWindow(axis, { start: start + byMs, end: end + byMs })
}

function toWindow({ startMs, endMs, widthMs }: TimeAxis, { start, end }: Span): ChartWindow {
  const spanMs = end - start
  // Allow a small difference, because a percentage is not exact.
  const inexactMs = widthMs / 100
  if (spanMs >= endMs - startMs - inexactMs) return null
  return { spanMs, endMs: end >= endMs - inexactMs ? null : Math.max(end, startMs + spanMs) }
}
