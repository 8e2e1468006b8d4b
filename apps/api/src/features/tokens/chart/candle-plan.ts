import type { CandleWidth } from '@papermoon/engine'
import type { timeframes } from '../schemas.ts'

export type Timeframe = (typeof timeframes)[number]

/** Which stored candles to read, and the width to merge them to. */
export interface CandlePlan {
  readonly keptWidth: CandleWidth
  /** Seconds; a multiple of `keptWidth`. */
  readonly width: number
  readonly since: Date
}

const CANDLES_MAX = 300
const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

/**
 * The plan of a timeframe: at most about 300 candles from at most about 7,200 stored ones, whatever the token's age.
 */
export function planCandles(timeframe: Timeframe, launchedAt: Date, now: Date): CandlePlan {
  const nowS = Math.floor(now.getTime() / 1_000)
  if (timeframe === '1H') return plan(MINUTE_S, MINUTE_S, nowS - HOUR_S)
  if (timeframe === '24H') return plan(MINUTE_S, 5 * MINUTE_S, nowS - DAY_S)
  if (timeframe === '7D') return plan(HOUR_S, HOUR_S, nowS - 7 * DAY_S)
  const launchedS = Math.floor(launchedAt.getTime() / 1_000)
  const ageS = Math.max(nowS - launchedS, 1)
  const keptWidth = ageS <= 3 * DAY_S ? MINUTE_S : ageS <= CANDLES_MAX * DAY_S ? HOUR_S : DAY_S
  return plan(keptWidth, keptWidth * Math.ceil(ageS / (CANDLES_MAX * keptWidth)), launchedS)
}

function plan(keptWidth: CandleWidth, width: number, sinceS: number): CandlePlan {
  return { keptWidth, width, since: new Date(Math.floor(sinceS / width) * width * 1_000) }
}
