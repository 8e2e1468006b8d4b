import type { CandleWidth } from '@papermoon/engine'
import { lastDayStart } from '../../../lib/last-day.ts'

export const HISTORY_TIMEFRAMES = ['24H', '7D', '30D', 'ALL'] as const
export type HistoryTimeframe = (typeof HISTORY_TIMEFRAMES)[number]

/** Most points of the past that one answer has; the live last one comes on top. */
export const HISTORY_POINTS_MAX = 102

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400
const STEPS_MAX = 100
const STEPS_MIN = 10
/** Tokens times steps: what a history costs. */
const CELLS_MAX = 40_000
/** Whole multiples of the kept candles, so that every point stands where candles end. */
const STEPS_S = [1, 5, 15, 30, 60, 120, 240, 480, 720, 1_440].map((minutes) => minutes * MINUTE_S)

const SPANS_S: Readonly<Record<Exclude<HistoryTimeframe, '24H'>, number>> = {
  '7D': 7 * DAY_S,
  '30D': 30 * DAY_S,
  ALL: Number.POSITIVE_INFINITY,
}

/** The moments that a history tells of, oldest first, and the kept candles that end at each of them. */
export interface HistoryPlan {
  readonly keptWidth: CandleWidth
  readonly moments: readonly Date[]
}

/** Where a timeframe begins: never before the player got their first SOL; that of a day where its profit or loss does. */
export function historyBegin(timeframe: HistoryTimeframe, first: Date, now: Date): Date {
  const begin = timeframe === '24H' ? lastDayStart(now).getTime() : now.getTime() - SPANS_S[timeframe] * 1_000
  return new Date(Math.max(first.getTime(), begin))
}

/** How many steps the history of so many tokens may have: the more tokens, the fewer. */
export function stepsFor(tokens: number): number {
  return Math.min(STEPS_MAX, Math.max(STEPS_MIN, Math.floor(CELLS_MAX / Math.max(1, tokens))))
}

interface Span {
  readonly begin: Date
  readonly now: Date
  readonly stepsMax: number
  /**
   * Where the first moment is: up to a step before `begin`; at `begin`, where the player came or the day began; or up to a
   * step after it, where nothing earlier may be read.
   */
  readonly edge: 'around' | 'at' | 'within'
}

/**
 * About `stepsMax` moments from `begin` to `now`, which is not one of them. They are whole steps since the epoch: the
 * close of the last candle before such a moment is the price at it.
 */
export function planHistory({ begin, now, stepsMax, edge }: Span): HistoryPlan {
  const spanS = (now.getTime() - begin.getTime()) / 1_000
  const stepS = STEPS_S.find((step) => spanS / step <= stepsMax) ?? DAY_S * Math.ceil(spanS / DAY_S / stepsMax)
  const stepMs = stepS * 1_000
  const moments: Date[] = edge === 'at' && begin < now ? [begin] : []
  const whole = edge === 'around' ? Math.floor : Math.ceil
  for (let at = whole(begin.getTime() / stepMs) * stepMs; at < now.getTime(); at += stepMs) {
    if (edge !== 'at' || at > begin.getTime()) moments.push(new Date(at))
  }
  return { keptWidth: stepS < HOUR_S ? MINUTE_S : stepS < DAY_S ? HOUR_S : DAY_S, moments }
}

/** A timeframe as one player asks for it. */
interface TimeframeSpan {
  readonly timeframe: HistoryTimeframe
  /** When the player had their first SOL. */
  readonly firstSolAt: Date
  readonly begin: Date
  readonly now: Date
  readonly stepsMax: number
  /** Less than the timeframe is read: no moment may lie before `begin`. */
  readonly isShortened: boolean
}

/** The moments of a timeframe. A day begins exactly 24 hours ago, since its profit or loss is told beside it. */
export function planMoments({ timeframe, firstSolAt, isShortened, ...span }: TimeframeSpan): HistoryPlan {
  if (isShortened) return planHistory({ ...span, edge: 'within' })
  if (timeframe === '24H') return planHistory({ ...span, edge: 'at' })
  const plan = planHistory({ ...span, edge: 'around' })
  const isBeforeFirst = (plan.moments[0] ?? firstSolAt) <= firstSolAt
  return isBeforeFirst ? planHistory({ ...span, begin: firstSolAt, edge: 'at' }) : plan
}
