import { useMemo } from 'react'
import type { Chart, MarkedTrade } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { candlesWithin, computeRange, type Range, type Slot, toSlots } from './candle-window.ts'
import { type Mark, markedSeqs, toMarks } from './trade-marks.ts'

/** Everything that a chart draws. */
export interface DrawnData {
  /** Undefined until loaded. */
  readonly chart: Chart | undefined
  readonly slots: readonly Slot[]
  readonly range: Range
  readonly marks: readonly Mark[]
  /** The owner of each marked trade, by `seq`. */
  readonly marked: ReadonlyMap<number, Mark['who']>
}

/** A chart with the state of its query. */
export interface ChartData extends DrawnData {
  /** Whether other data than the requested one is shown while that loads. */
  readonly isBusy: boolean
  /** Set when there is nothing to show. */
  readonly failure: { readonly error: unknown; readonly retry: () => void } | null
}

interface Source {
  readonly chart: Chart | undefined
  readonly trades: readonly MarkedTrade[]
  readonly creatorId: number
  /** Where the time axis ends, ms since the epoch. */
  readonly nowMs: number
}

const NOTHING: { slots: readonly Slot[]; range: Range } = { slots: [], range: { high: null, low: null } }

/** Puts a chart and its marked trades on the time axis. */
export function useChartData({ chart, trades, creatorId, nowMs }: Source): DrawnData {
  const ownId = useCurrentUser()?.id ?? null
  const { slots, range } = useMemo(() => {
    if (chart === undefined) return NOTHING
    const candles = candlesWithin(chart, nowMs)
    return { slots: toSlots(candles, chart.width, nowMs), range: computeRange(candles) ?? chart }
  }, [chart, nowMs])
  const who = useMemo(() => ({ ownId, creatorId }), [ownId, creatorId])
  const marks = useMemo<Mark[]>(() => toMarks(trades, slots, who), [trades, slots, who])
  const marked = useMemo(() => markedSeqs(trades, who), [trades, who])
  return { chart, slots, range, marks, marked }
}
