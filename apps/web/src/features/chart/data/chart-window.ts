import type { TimeAxis } from './slots.ts'

/** The part of the time axis that is on screen; null is all of it. */
export type ChartWindow = {
  readonly spanMs: number
  /** Where it ends, ms since the epoch; null follows the latest candle. */
  readonly endMs: number | null
} | null

/** Times, or percent of the axis. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Min candles on screen. */
export const SPAN_MIN = 12

/** The times that a window shows. */
export function toTimes({ startMs, endMs }: TimeAxis, window: ChartWindow): Span {
  if (window === null || window.spanMs >= endMs - startMs) return { start: startMs, end: endMs }
  const end = Math.min(Math.max(window.endMs ?? endMs, startMs + window.spanMs), endMs)
  return { start: end - window.spanMs, end }
}

/** What a window shows in percent of the axis, as ECharts has it. */
export function toPercent(axis: TimeAxis, window: ChartWindow): Span {
  const { start, end } = toTimes(axis, window)
  const toPart = (timeMs: number) => ((timeMs - axis.startMs) / (axis.endMs - axis.startMs)) * 100
  return { start: toPart(start), end: toPart(end) }
}

export function fromPercent(axis: TimeAxis, { start, end }: Span): ChartWindow {
  const toTime = (part: number) => axis.startMs + (part / 100) * (axis.endMs - axis.startMs)
  return toWindow(axis, { start: toTime(start), end: toTime(end) })
}

/** The window after zooming: `factor` below 1 shows less; the time `atMs` stays in its place. */
export function zoomWindow(axis: TimeAxis, window: ChartWindow, by: { factor: number; atMs: number }): ChartWindow {
  const { start, end } = toTimes(axis, window)
  const span = Math.max((end - start) * by.factor, SPAN_MIN * axis.widthMs)
  const from = by.atMs - ((by.atMs - start) / (end - start)) * span
  return toWindow(axis, { start: from, end: from + span })
}

/** The window after moving it; positive is towards now. */
export function panWindow(axis: TimeAxis, window: ChartWindow, byMs: number): ChartWindow {
  const { start, end } = toTimes(axis, window)
  return toWindow(axis, { start: start + byMs, end: end + byMs })
}

function toWindow({ startMs, endMs, widthMs }: TimeAxis, { start, end }: Span): ChartWindow {
  const spanMs = end - start
  // A percentage is not exact.
  const inexactMs = widthMs / 100
  if (spanMs >= endMs - startMs - inexactMs) return null
  return { spanMs, endMs: end >= endMs - inexactMs ? null : Math.max(end, startMs + spanMs) }
}
