import type { HistoryTimeframe } from '@papermoon/contract/portfolio'
import type { CandleWidth } from '@papermoon/engine'
import { lastDayStart } from '../../../lib/durations.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400
const STEPS_MAX = 100
const STEPS_MIN = 10
/** Max number of tokens × steps in a history. The cost of a history grows with this product. */
const CELLS_MAX = 40_000
/** Possible lengths of a step, in seconds. Each length is a multiple of the width of stored candles. */
const STEPS_S = [1, 5, 15, 30, 60, 120, 240, 480, 720, 1_440].map((minutes) => minutes * MINUTE_S)

const SPANS_S: Readonly<Record<Exclude<HistoryTimeframe, '24H'>, number>> = {
  '7D': 7 * DAY_S,
  '30D': 30 * DAY_S,
  ALL: Number.POSITIVE_INFINITY,
}

/** The times of a history, oldest first, and the stored candles that end at these times. */
export interface HistoryPlan {
  readonly storedWidth: CandleWidth
  readonly moments: readonly Date[]
}

/** Returns the start of a timeframe. The start is never before the player got SOL for the first time. */
export function historyBegin(timeframe: HistoryTimeframe, first: Date, now: Date): Date {
  const begin = timeframe === '24H' ? lastDayStart(now).getTime() : now.getTime() - SPANS_S[timeframe] * 1_000
  return new Date(Math.max(first.getTime(), begin))
}

/** Returns the max number of steps in a history. Players with more tokens get fewer steps. */
export function stepsFor(tokens: number): number {
  return Math.min(STEPS_MAX, Math.max(STEPS_MIN, Math.floor(CELLS_MAX / Math.max(1, tokens))))
}

interface Span {
  readonly begin: Date
  readonly now: Date
  readonly stepsMax: number
  /**
   * How the first time of a history is chosen. The first time can be up to a step before `begin`, exactly at `begin`,
   * or up to a step after `begin` if nothing earlier may be read.
   */
  readonly edge: 'around' | 'at' | 'within'
}

/**
 * Plans about `stepsMax` times from `begin` to just before `now`. The times are multiples of a step since the epoch,
 * because the price at a time is the close of the last candle before it.
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
  return { storedWidth: stepS < HOUR_S ? MINUTE_S : stepS < DAY_S ? HOUR_S : DAY_S, moments }
}

interface TimeframeSpan {
  readonly timeframe: HistoryTimeframe
  /** Time at which the player got their first SOL. */
  readonly firstSolAt: Date
  readonly begin: Date
  readonly now: Date
  readonly stepsMax: number
  /** Whether only a part of the timeframe is read. If so, no time may be before `begin`. */
  readonly isShortened: boolean
}

/** Plans the times of a timeframe. A timeframe of a day starts exactly at `begin`, as the 24-hour profit does. */
export function planMoments({ timeframe, firstSolAt, isShortened, ...span }: TimeframeSpan): HistoryPlan {
  if (isShortened) return planHistory({ ...span, edge: 'within' })
  if (timeframe === '24H') return planHistory({ ...span, edge: 'at' })
  const plan = planHistory({ ...span, edge: 'around' })
  const isBeforeFirst = (plan.moments[0] ?? firstSolAt) <= firstSolAt
  return isBeforeFirst ? planHistory({ ...span, begin: firstSolAt, edge: 'at' }) : plan
}
