import type { Candle, Chart, Timeframe } from '../../../lib/api/api.ts'
import { compareDecimals } from '../../../lib/format/compare-decimals.ts'

/** A place on the time axis; without a candle where nothing has happened yet. */
export interface Slot {
  /** Start of the candle, ms since the epoch. */
  readonly timeMs: number
  readonly candle: Candle | null
}

/** As many as are drawn; what is older falls off on the left. */
const SLOTS_MAX = 400
/** Fewer candles than this leave room on the right, so that one candle is not as wide as the page. */
const SLOTS_MIN = 48

const SPAN_MS: Readonly<Record<Timeframe, number>> = {
  '1H': 3_600_000,
  '24H': 86_400_000,
  '7D': 604_800_000,
  ALL: Number.POSITIVE_INFINITY,
}

/** The candles that still lie in the chart's timeframe: a page stays open while time goes on. */
export function candlesWithin(chart: Chart, nowMs: number): Candle[] {
  const since = nowMs - SPAN_MS[chart.timeframe] - chart.width * 1_000
  return chart.candles.filter((candle) => Date.parse(candle.time) >= since)
}

/** The highest and lowest price of a time, in SOL. */
export interface Range {
  readonly high: string | null
  readonly low: string | null
}

/** The range of some candles; null for none. */
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
 * The candles on an even time axis, oldest first: they begin at the price before the first, a span without a trade
 * stays at the price before it, up to now, and a young token has room to grow into.
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

/** Adds still candles after the last slot, up to but not at `untilMs`. */
function fillTo(slots: Slot[], untilMs: number, widthMs: number): void {
  const last = slots.at(-1)
  if (last === undefined || last.candle === null) return
  const { close } = last.candle
  const missing = Math.ceil((untilMs - last.timeMs) / widthMs) - 1
  // However long the silence was, no more than a chart's width of it is drawn.
  const first = Math.max(1, missing - SLOTS_MAX + 1)
  for (let step = first; step <= missing; step += 1) {
    const candle = stillCandle(close, last.candle.time, step * widthMs)
    slots.push({ timeMs: last.timeMs + step * widthMs, candle })
  }
}

/** A candle in which nobody traded, `afterMs` after an ISO time. */
function stillCandle(price: string, from: string, afterMs: number): Candle {
  const time = new Date(Date.parse(from) + afterMs).toISOString()
  return { time, open: price, high: price, low: price, close: price, volume: '0' }
}
