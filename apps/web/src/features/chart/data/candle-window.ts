import type { Candle, Chart, Timeframe } from '../../../lib/api/api.ts'
import { compareDecimals } from '../../../lib/format/compare-decimals.ts'

/** A slot of the time axis; the candle is null before the first and after the last one. */
export interface Slot {
  /** Start of the candle, ms since the epoch. */
  readonly timeMs: number
  readonly candle: Candle | null
}

/** Max slots drawn; older ones are dropped on the left. */
const SLOTS_MAX = 400
/** Min slots of the axis; with fewer candles the right side stays empty instead of one candle filling the width. */
const SLOTS_MIN = 48

const SPAN_MS: Readonly<Record<Timeframe, number>> = {
  '1H': 3_600_000,
  '24H': 86_400_000,
  '7D': 604_800_000,
  ALL: Number.POSITIVE_INFINITY,
}

/** The candles still within the chart's timeframe; the page may have been open for a while. */
export function candlesWithin(chart: Chart, nowMs: number): Candle[] {
  const since = nowMs - SPAN_MS[chart.timeframe] - chart.width * 1_000
  return chart.candles.filter((candle) => Date.parse(candle.time) >= since)
}

/** The highest and lowest price of a period, in SOL. */
export interface Range {
  readonly high: string | null
  readonly low: string | null
}

/** The price range of candles; null without any. */
export function computeRange(candles: readonly Candle[]): Range | null {
  const [first] = candles
  if (first === undefined) return null
  let { high, low } = first
  for (const candle of candles) {
    if (compareDecimals(candle.high, high) > 0) high = candle.high
    if (compareDecimals(candle.low, low) < 0) low = candle.low
  }
  return { high, low }
}

/**
 * Puts candles on an even time axis, oldest first. Fills the time before the first candle, gaps, and the time up to now
 * with flat candles, and adds empty slots on the right for a young token.
 */
export function toSlots(candles: readonly Candle[], widthS: number, nowMs: number): Slot[] {
  const widthMs = widthS * 1_000
  const [first] = candles
  if (first === undefined) return []
  const slots: Slot[] = [
    { timeMs: Date.parse(first.time) - widthMs, candle: stillCandle(first.open, first.time, -widthMs) },
  ]
  for (const candle of candles.slice(-SLOTS_MAX)) {
    fillTo(slots, Date.parse(candle.time), widthMs)
    slots.push({ timeMs: Date.parse(candle.time), candle })
  }
  fillTo(slots, nowMs + 1, widthMs)
  const kept = slots.slice(-SLOTS_MAX)
  const lastMs = kept.at(-1)?.timeMs
  if (lastMs === undefined) return kept
  for (let ahead = 1; kept.length < SLOTS_MIN; ahead += 1) kept.push({ timeMs: lastMs + ahead * widthMs, candle: null })
  return kept
}

/** Appends flat candles after the last slot, up to `untilMs` exclusive. */
function fillTo(slots: Slot[], untilMs: number, widthMs: number): void {
  const last = slots.at(-1)
  if (last === undefined || last.candle === null) return
  const { close } = last.candle
  const missing = Math.ceil((untilMs - last.timeMs) / widthMs) - 1
  // However long the gap, fill at most one chart width.
  const first = Math.max(1, missing - SLOTS_MAX + 1)
  for (let step = first; step <= missing; step += 1) {
    const candle = stillCandle(close, last.candle.time, step * widthMs)
    slots.push({ timeMs: last.timeMs + step * widthMs, candle })
  }
}

/** A flat candle, `afterMs` after an ISO time. */
function stillCandle(price: string, from: string, afterMs: number): Candle {
  const time = new Date(Date.parse(from) + afterMs).toISOString()
  return { time, open: price, high: price, low: price, close: price, volume: '0' }
}
