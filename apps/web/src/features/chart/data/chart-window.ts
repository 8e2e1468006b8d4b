import type { Slot } from './candle-window.ts'

/** The part of the time axis that is on screen; it survives a change of the candles' width. */
export interface ChartWindow {
  readonly spanMs: number
  /** Start of its last slot, ms since the epoch; null follows the latest candle. */
  readonly endMs: number | null
}

/** Slots of the axis, and which of them are on screen, both ends included. */
export interface VisibleSlots {
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly first: number
  readonly last: number
}

const SPAN_MIN = 12

/** Which slots a window shows; null shows all of them. */
export function findVisible(slots: readonly Slot[], widthMs: number, window: ChartWindow | null): VisibleSlots {
  const all = { slots, widthMs, first: 0, last: slots.length - 1 }
  if (window === null) return all
  const count = Math.max(SPAN_MIN, Math.round(window.spanMs / widthMs))
  if (count >= slots.length) return all
  const latest = findLatest(slots)
  const end = window.endMs === null ? latest : Math.min(findSlot(slots, window.endMs), latest)
  const last = Math.max(end, count - 1)
  return { slots, widthMs, first: last - count + 1, last }
}

/** The window after zooming: `factor` below 1 shows less; `at` (0 to 1) is the part of the width that stays in place. */
export function zoomWindow(visible: VisibleSlots, factor: number, at: number): ChartWindow | null {
  const { slots, first, last } = visible
  const count = last - first + 1
  const rounded = factor < 1 ? Math.floor(count * factor) : Math.ceil(count * factor)
  const next = Math.min(Math.max(rounded, SPAN_MIN), slots.length)
  if (next >= slots.length) return null
  return toWindow(visible, next, Math.round(last + (1 - at) * (next - count)))
}

/** The window after moving by slots; positive is towards now. */
export function panWindow(visible: VisibleSlots, by: number): ChartWindow | null {
  const { slots, first, last } = visible
  const count = last - first + 1
  if (count >= slots.length) return null
  return toWindow(visible, count, last + Math.round(by))
}

function toWindow({ slots, widthMs }: VisibleSlots, count: number, end: number): ChartWindow {
  const latest = findLatest(slots)
  const last = Math.max(end, count - 1)
  return { spanMs: count * widthMs, endMs: last >= latest ? null : (slots[last]?.timeMs ?? null) }
}

function findLatest(slots: readonly Slot[]): number {
  return slots.findLastIndex(({ candle }) => candle !== null)
}

/** Index of the last slot that starts at or before a time; -1 if it is before the first. */
export function findSlot(slots: readonly Slot[], timeMs: number): number {
  let [low, high] = [0, slots.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((slots[middle]?.timeMs ?? 0) <= timeMs) low = middle + 1
    else high = middle
  }
  return low - 1
}
