import type { Candle } from '../../../lib/api/api.ts'
import { keepPlotted, type Plotted, type Slot, toPlotted } from './candle-window.ts'
import type { VisibleSlots } from './chart-window.ts'

/** Columns to draw: at most about `max`, each of one slot or of several merged ones. */
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
  const whole = findWholeColumns(slots, columnMs)
  const columns: Slot[] = []
  let place = first
  while (place <= last) {
    let column = whole.get(place)
    if (column === undefined || column.end > last + 1) {
      const end = findEnd(slots, place, { columnMs, limit: last + 1 })
      column = { slot: mergeSlots(slots.slice(place, end), columnMs), end }
      if (isEdge(slots, place, columnMs) && isEdge(slots, end, columnMs)) whole.set(place, column)
    }
    if (column.slot !== null) columns.push(column.slot)
    place = column.end
  }
  return { slots: columns, widthMs: columnMs }
}

interface Column {
  readonly slot: Slot | null
  /** The slot behind its last one. */
  readonly end: number
}

const known = new WeakMap<readonly Slot[], Map<number, Map<number, Column>>>()

/** Columns of this width that were merged before, by their first slot: a window that moves shows most of them again. */
function findWholeColumns(slots: readonly Slot[], columnMs: number): Map<number, Column> {
  const byWidth = known.get(slots) ?? new Map<number, Map<number, Column>>()
  known.set(slots, byWidth)
  const columns = byWidth.get(columnMs) ?? new Map<number, Column>()
  byWidth.set(columnMs, columns)
  return columns
}

function findEnd(
  slots: readonly Slot[],
  place: number,
  { columnMs, limit }: { columnMs: number; limit: number },
): number {
  let end = place + 1
  while (end < limit && !isEdge(slots, end, columnMs)) end += 1
  return end
}

function isEdge(slots: readonly Slot[], place: number, columnMs: number): boolean {
  const [before, slot] = [slots[place - 1], slots[place]]
  if (before === undefined || slot === undefined) return true
  return Math.floor(before.timeMs / columnMs) !== Math.floor(slot.timeMs / columnMs)
}

/** One slot of several; null if none has a candle. */
function mergeSlots(slots: readonly Slot[], columnMs: number): Slot | null {
  const candles = slots.flatMap(({ candle }) => (candle === null ? [] : [candle]))
  const [first, last] = [candles[0], candles.at(-1)]
  const timeMs = Math.floor((slots[0]?.timeMs ?? 0) / columnMs) * columnMs
  return first === undefined || last === undefined ? null : { timeMs, candle: mergeCandles(candles, { first, last }) }
}

function mergeCandles(candles: readonly Candle[], { first, last }: { first: Candle; last: Candle }): Candle {
  let [high, low] = [first, first]
  let { high: highest, low: lowest } = toPlotted(first)
  // An integer up to 9 million SOL, so sums are exact.
  let lamports = 0
  for (const candle of candles) {
    const plotted = toPlotted(candle)
    if (plotted.high > highest) {
      high = candle
      highest = plotted.high
    }
    if (plotted.low < lowest) {
      low = candle
      lowest = plotted.low
    }
    lamports += Math.round(plotted.volume * LAMPORTS_PER_SOL)
  }
  const volume = toSolText(lamports)
  const candle = { time: first.time, open: first.open, high: high.high, low: low.low, close: last.close, volume }
  const { timeMs, open }: Plotted = toPlotted(first)
  const { close } = toPlotted(last)
  keepPlotted(candle, { timeMs, open, high: highest, low: lowest, close, volume: lamports / LAMPORTS_PER_SOL })
  return candle
}

const LAMPORTS_PER_SOL = 1_000_000_000

function toSolText(lamports: number): string {
  const sol = Math.floor(lamports / LAMPORTS_PER_SOL)
  const fraction = String(lamports % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(sol) : `${sol}.${fraction}`
}
