import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Timeframe, type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { useThrottled } from '../../../lib/hooks/use-throttled.ts'
import { useConnection } from '../../../lib/live/live.ts'
import { DAY_FIGURES } from '../../../lib/market/day-figures.ts'
import { candlesWithin, computeRange, type Range, type Slot, toSlots } from '../data/candle-window.ts'
import { type Mark, markedSeqs, toMarks } from '../data/trade-marks.ts'
import { useMarkedTrades } from '../data/use-marked-trades.ts'

/** Min time between redraws of the canvas, ms. */
const REDRAW_MS = 150
const MINUTE_MS = 60_000
const NOTHING: { slots: readonly Slot[]; range: Range } = { slots: [], range: { high: null, low: null } }

/** The data of a token's chart in a timeframe, updated with trades and time. */
export function useChart(token: Token, timeframe: Timeframe) {
  const { id, creator } = token
  const query = trpc.tokens.chart.useQuery({ id, timeframe }, { ...DAY_FIGURES, placeholderData: keepPreviousData })
  const chart = useThrottled(query.data, REDRAW_MS)
  const ownId = useCurrentUser()?.id ?? null
  const trades = useThrottled(useMarkedTrades(id), REDRAW_MS)
  const now = useNow()
  const { state, since } = useConnection()
  // While offline, do not extend the chart with flat candles: there may have been trades.
  const minuteMs = Math.floor((state === 'offline' ? since : now) / MINUTE_MS) * MINUTE_MS

  const { slots, range } = useMemo(() => {
    if (chart === undefined) return NOTHING
    const candles = candlesWithin(chart, minuteMs)
    return { slots: toSlots(candles, chart.width, minuteMs), range: computeRange(candles) ?? chart }
  }, [chart, minuteMs])
  const who = useMemo(() => ({ ownId, creatorId: creator.id }), [ownId, creator.id])
  const marks = useMemo<Mark[]>(() => toMarks(trades, slots, who), [trades, slots, who])
  const marked = useMemo(() => markedSeqs(trades, who), [trades, who])
  return { query, chart, slots, range, marks, marked }
}
