import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Timeframe, type Token, type Trade, trpc } from '../../lib/api.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { useNow } from '../../lib/use-now.ts'
import { useThrottled } from '../../lib/use-throttled.ts'
import { candlesWithin, type Slot, slotsOf } from './candle-window.ts'
import { type Mark, marksOf } from './trade-marks.ts'

/** The canvas is drawn anew at most this often, however many trades a second there are. */
const REDRAW_MS = 150
const MINUTE_MS = 60_000
const NO_TRADES: readonly Trade[] = []
const NO_SLOTS: readonly Slot[] = []

/** What the chart of a token shows in a timeframe, moving with its trades and with time. */
export function useChart(token: Token, timeframe: Timeframe) {
  const { id, creator } = token
  const query = trpc.tokens.chart.useQuery({ id, timeframe }, { placeholderData: keepPreviousData })
  const chart = useThrottled(query.data, REDRAW_MS)
  const trades = useThrottled(trpc.tokens.trades.useQuery({ id }).data ?? NO_TRADES, REDRAW_MS)
  const ownId = useCurrentUser()?.id ?? null
  const minuteMs = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS

  const slots = useMemo(
    () => (chart === undefined ? NO_SLOTS : slotsOf(candlesWithin(chart, minuteMs), chart.width, minuteMs)),
    [chart, minuteMs],
  )
  const marks = useMemo<Mark[]>(
    () => marksOf(trades, slots, { ownId, creatorId: creator.id }),
    [trades, slots, ownId, creator.id],
  )
  return { query, chart, slots, marks }
}
