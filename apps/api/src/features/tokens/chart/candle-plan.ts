import type { timeframes } from '@papermoon/contract/tokens'
import type { CandleWidth } from '@papermoon/engine'

export type Timeframe = (typeof timeframes)[number]

/** Which stored candles to read, and the width of the candles into which they are merged. */
export interface CandlePlan {
  readonly storedWidth: CandleWidth
  /** Width of the candles in seconds, a multiple of `storedWidth`. */
  readonly width: number
  readonly since: Date
}

/**
 * A plan to compute candles from the trades of the last hour. This plan is used for candles that are narrower than
 * stored ones.
 */
export interface TradePlan {
  /** Always null, because no stored candles have this width. */
  readonly storedWidth: null
  /** Width in seconds. */
  readonly width: number
  readonly since: Date
}

const CANDLES_MAX = 300
/** Min number of candles in a chart that looks full. */
const FULL_CHART = 48
/** Widths of candles that are computed from trades, in seconds, narrowest first. */
const TRADE_WIDTHS = { '1s': 1, '5s': 5, '15s': 15 } as const
const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400
const SPAN_S = { '1H': HOUR_S, '24H': DAY_S, '7D': 7 * DAY_S, ALL: Number.POSITIVE_INFINITY } as const

/**
 * Plans a timeframe of at most about 300 candles. These candles come from at most about 7,200 stored ones, even for an
 * old token.
 */
export function planCandles(timeframe: Timeframe, launchedAt: Date, now: Date): CandlePlan {
  const nowS = Math.floor(now.getTime() / 1_000)
  if (timeframe === '1H') return plan(MINUTE_S, MINUTE_S, nowS - HOUR_S)
  if (timeframe === '24H') return plan(MINUTE_S, 5 * MINUTE_S, nowS - DAY_S)
  if (timeframe === '7D') return plan(HOUR_S, HOUR_S, nowS - 7 * DAY_S)
  const launchedS = Math.floor(launchedAt.getTime() / 1_000)
  const ageS = Math.max(nowS - launchedS, 1)
  const storedWidth = ageS <= 3 * DAY_S ? MINUTE_S : ageS <= CANDLES_MAX * DAY_S ? HOUR_S : DAY_S
  return plan(storedWidth, storedWidth * Math.ceil(ageS / (CANDLES_MAX * storedWidth)), launchedS)
}

/** Plans candles of width `interval` over the last hour. */
export function planInterval(interval: keyof typeof TRADE_WIDTHS, now: Date): TradePlan {
  return tradePlan(TRADE_WIDTHS[interval], Math.floor(now.getTime() / 1_000) - HOUR_S)
}

/**
 * Plans candles that fill a chart. A token younger than the timeframe gets stored candles if its minutes fill the
 * chart, or if there are more minutes than computed candles. Otherwise, it gets the widest computed candles of which
 * there are at least `FULL_CHART`. For a busy token, computed candles begin after the launch, at `computedSince`.
 */
export function planFullChart(
  timeframe: Timeframe,
  { launchedAt, now, computedSince }: { readonly launchedAt: Date; readonly now: Date; readonly computedSince: Date },
): CandlePlan | TradePlan {
  const nowS = Math.floor(now.getTime() / 1_000)
  const ageS = nowS - Math.floor(launchedAt.getTime() / 1_000)
  if (ageS >= SPAN_S[timeframe]) return planCandles(timeframe, launchedAt, now)
  const sinceS = Math.floor(computedSince.getTime() / 1_000)
  const { '1s': narrowest, '5s': middle, '15s': widest } = TRADE_WIDTHS
  const width = [widest, middle].find((width) => nowS - sinceS >= FULL_CHART * width) ?? narrowest
  if (fillsMinutes(launchedAt, now) || ageS / MINUTE_S > (nowS - sinceS) / width)
    return planCandles('ALL', launchedAt, now)
  return tradePlan(width, sinceS)
}

/** Returns whether a token is old enough for a full chart of one-minute candles. */
export function fillsMinutes(launchedAt: Date, now: Date): boolean {
  return now.getTime() - launchedAt.getTime() >= FULL_CHART * MINUTE_S * 1_000
}

function tradePlan(width: number, sinceS: number): TradePlan {
  return { storedWidth: null, width, since: new Date(Math.floor(sinceS / width) * width * 1_000) }
}

function plan(storedWidth: CandleWidth, width: number, sinceS: number): CandlePlan {
  return { storedWidth, width, since: new Date(Math.floor(sinceS / width) * width * 1_000) }
}
