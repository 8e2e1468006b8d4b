import type { Candle } from '../../../lib/api/api.ts'
import type { Slot } from './candle-window.ts'
import { toPlotted } from './plotted.ts'

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

/** Fewest slots on screen. */
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

/** The last slot with a candle. */
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

/** What is drawn: at most about `max` columns, each of one slot or of several merged ones. */
export interface Columns {
  readonly slots: readonly Slot[]
  readonly widthMs: number
}

/**
 * The columns of the visible slots. Merged columns begin at multiples of their width, so they keep their candles while
 * the window moves. Their prices are exact, and no high or low is lost.
 */
export function toColumns({ slots, widthMs, first, last }: VisibleSlots, max: number): Columns {
  const merged = Math.ceil((last - first + 1) / Math.max(max, 1))
  if (merged <= 1) {
    const isAll = first === 0 && last === slots.length - 1
    return { slots: isAll ? slots : slots.slice(first, last + 1), widthMs }
  }
  const columnMs = merged * widthMs
  const columns: Slot[] = []
  let column: Column | null = null
  for (let place = first; place <= last; place += 1) {
    const slot = slots[place]
    if (slot === undefined || slot.candle === null) continue
    const timeMs = Math.floor(slot.timeMs / columnMs) * columnMs
    if (column?.timeMs === timeMs) extend(column, slot.candle)
    else {
      if (column !== null) columns.push(toSlot(column))
      column = open(timeMs, slot.candle)
    }
  }
  if (column !== null) columns.push(toSlot(column))
  return { slots: columns, widthMs: columnMs }
}

interface Column {
  readonly timeMs: number
  readonly first: Candle
  last: Candle
  /** The candles with the highest high and the lowest low, and these as numbers. */
  high: Candle
  low: Candle
  highest: number
  lowest: number
  /** An integer up to 9 million SOL, so sums are exact. */
  lamports: number
}

function open(timeMs: number, candle: Candle): Column {
  const { high, low, volume } = toPlotted(candle)
  return {
    timeMs,
    first: candle,
    last: candle,
    high: candle,
    low: candle,
    highest: high,
    lowest: low,
    lamports: toLamports(volume),
  }
}

function extend(column: Column, candle: Candle): void {
  const { high, low, volume } = toPlotted(candle)
  column.last = candle
  if (high > column.highest) {
    column.high = candle
    column.highest = high
  }
  if (low < column.lowest) {
    column.low = candle
    column.lowest = low
  }
  column.lamports += toLamports(volume)
}

function toSlot({ timeMs, first, last, high, low, lamports }: Column): Slot {
  const { time, open } = first
  return {
    timeMs,
    candle: { time, open, high: high.high, low: low.low, close: last.close, volume: toSolText(lamports) },
  }
}

const LAMPORTS_PER_SOL = 1_000_000_000

function toLamports(sol: number): number {
  return Math.round(sol * LAMPORTS_PER_SOL)
}

function toSolText(lamports: number): string {
  const sol = Math.floor(lamports / LAMPORTS_PER_SOL)
  const fraction = String(lamports % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(sol) : `${sol}.${fraction}`
}
