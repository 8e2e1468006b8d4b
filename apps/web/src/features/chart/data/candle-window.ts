import type { Candle, Chart, Timeframe } from '../../../lib/api/api.ts'
import { compareDecimals } from '../../../lib/format/compare-decimals.ts'
import { toPlotPrice } from '../echarts/plot-layout.ts'

/** A slot of the time axis; the candle is null before the first and after the last one. */
export interface Slot {
  /** Start of the candle, ms since the epoch. */
  readonly timeMs: number
  readonly candle: Candle | null
}

/** Max slots of the axis; older ones are dropped on the left. */
const SLOTS_MAX = 10_000
/** Min slots of the axis; with fewer candles the right side stays empty instead of one candle filling the width. */
const SLOTS_MIN = 48

/** How far back a timeframe reaches. */
export const SPAN_MS: Readonly<Record<Timeframe, number>> = {
  '1H': 3_600_000,
  '24H': 86_400_000,
  '7D': 604_800_000,
  ALL: Number.POSITIVE_INFINITY,
}

/** The candles still within the chart's timeframe; the page may have been open for a while. */
export function candlesWithin(chart: Chart, nowMs: number): readonly Candle[] {
  const since = nowMs - SPAN_MS[chart.timeframe] - chart.width * 1_000
  const first = chart.candles.findIndex((candle) => toPlotted(candle).timeMs >= since)
  if (first <= 0) return first === 0 ? chart.candles : []
  return chart.candles.slice(first)
}

/** The highest and lowest price of a period, in SOL. */
export interface Range {
  readonly high: string | null
  readonly low: string | null
}

/**
 * The price range of candles; null without any. Compares numbers, and the exact texts where these are equal: 10,000
 * candles are compared with every trade.
 */
export function computeRange(candles: readonly Candle[]): Range | null {
  const [first] = candles
  if (first === undefined) return null
  let { high, low } = first
  let { high: highest, low: lowest } = toPlotted(first)
  for (const candle of candles) {
    const plotted = toPlotted(candle)
    if (plotted.high > highest || (plotted.high === highest && isMore(candle.high, high))) {
      high = candle.high
      highest = plotted.high
    }
    if (plotted.low < lowest || (plotted.low === lowest && isMore(low, candle.low))) {
      low = candle.low
      lowest = plotted.low
    }
  }
  return { high, low }
}

/**
 * The price range of a chart's timeframe; `candles` are those still within it. While all are, it is the chart's own, which
 * also counts what is older than the first candle of a busy token.
 */
export function findRange(chart: Chart, candles: readonly Candle[]): Range {
  return candles === chart.candles ? chart : (computeRange(candles) ?? chart)
}

function isMore(one: string, other: string): boolean {
  return one !== other && compareDecimals(one, other) > 0
}

/**
 * Puts candles on an even time axis, oldest first. Fills the time before the first candle, gaps, and the time up to now
 * with flat candles, and adds empty slots on the right for a young token, up to `least` in all.
 */
export function toSlots(candles: readonly Candle[], widthS: number, nowMs: number, least = SLOTS_MIN): Slot[] {
  const widthMs = widthS * 1_000
  const [first] = candles
  if (first === undefined) return []
  const firstMs = toPlotted(first).timeMs
  const slots: Slot[] = [
    { timeMs: firstMs - widthMs, candle: stillCandle(first.open, new Date(firstMs - widthMs).toISOString()) },
  ]
  for (const candle of candles.slice(-SLOTS_MAX)) {
    const { timeMs } = toPlotted(candle)
    fillTo(slots, timeMs, widthMs)
    slots.push({ timeMs, candle })
  }
  fillTo(slots, nowMs + 1, widthMs)
  const kept = slots.length > SLOTS_MAX ? slots.slice(-SLOTS_MAX) : slots
  const lastMs = kept.at(-1)?.timeMs
  if (lastMs === undefined) return kept
  for (let ahead = 1; kept.length < least; ahead += 1) kept.push({ timeMs: lastMs + ahead * widthMs, candle: null })
  return kept
}

/** Appends flat slots after the last one, up to `untilMs` exclusive. They share one candle. */
function fillTo(slots: Slot[], untilMs: number, widthMs: number): void {
  const last = slots.at(-1)
  if (last === undefined || last.candle === null) return
  const missing = Math.ceil((untilMs - last.timeMs) / widthMs) - 1
  if (missing <= 0) return
  const candle = stillAfter(last.candle)
  // However long the gap, fill at most one chart width.
  const first = Math.max(1, missing - SLOTS_MAX + 1)
  for (let step = first; step <= missing; step += 1) slots.push({ timeMs: last.timeMs + step * widthMs, candle })
}

const stills = new WeakMap<Candle, Candle>()

function stillAfter(candle: Candle): Candle {
  const known = stills.get(candle)
  if (known !== undefined) return known
  const still = stillCandle(candle.close, candle.time)
  stills.set(candle, still)
  return still
}

function stillCandle(price: string, time: string): Candle {
  return { time, open: price, high: price, low: price, close: price, volume: '0' }
}

/** A candle's time in ms since the epoch, its prices as plot numbers, and its volume in SOL. */
export interface Plotted {
  readonly timeMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

const known = new WeakMap<Candle, Plotted>()

/** A candle's numbers, parsed once: live updates keep the objects of candles that have closed. */
export function toPlotted(candle: Candle): Plotted {
  const cached = known.get(candle)
  if (cached !== undefined) return cached
  const plotted = {
    timeMs: Date.parse(candle.time),
    open: toPlotPrice(candle.open),
    high: toPlotPrice(candle.high),
    low: toPlotPrice(candle.low),
    close: toPlotPrice(candle.close),
    volume: Number(candle.volume),
  }
  known.set(candle, plotted)
  return plotted
}

/** Notes the numbers of a candle that was computed from others, so that they are not parsed again. */
export function keepPlotted(candle: Candle, plotted: Plotted): void {
  known.set(candle, plotted)
}

export function isDown(candle: Candle): boolean {
  const { open, close } = toPlotted(candle)
  return close < open
}

/** Whether the last price change was a fall. Ignores minutes without trades and the zero after a rug pull. */
export function isFallen(slots: readonly Slot[]): boolean {
  let last: number | null = null
  for (let place = slots.length - 1; place >= 0; place -= 1) {
    const candle = slots[place]?.candle
    if (candle == null) continue
    const { open, close } = toPlotted(candle)
    last ??= close
    if (close !== last) return last < close
    if (place === 0 && open !== last) return last < open
  }
  return false
}

/** The lowest and highest price of every candle, in plot numbers. */
export function toExtremes(slots: readonly Slot[]): number[] {
  return slots.flatMap(({ candle }) => {
    if (candle === null) return []
    const { low, high } = toPlotted(candle)
    return [low, high]
  })
}
