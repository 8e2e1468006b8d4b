import { useMemo } from 'react'
import type { Chart, Timeframe, Token } from '../../lib/api/api.ts'
import { useThrottled } from '../../lib/hooks/use-throttled.ts'
import { ChartFrame } from './chart-frame.tsx'
import { useChartData, useMarkedTrades } from './data/use-chart-data.ts'

/** Min time between redraws of the canvas, ms. */
const REDRAW_MS = 150

interface PastChartCardProps {
  readonly token: Token
  readonly chart: Chart | undefined
  readonly seq: number
  /** ISO time of that moment, where the time axis ends. */
  readonly time: string
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  /** Percent; null shows no figure. */
  readonly change24h: string | null
}

export function PastChartCard({ token, chart, seq, time, timeframe, onTimeframe, change24h }: PastChartCardProps) {
  const latest = useMemo(() => ({ chart, seq, timeMs: Date.parse(time) }), [chart, seq, time])
  const moment = useThrottled(latest, REDRAW_MS)
  const marked = useMarkedTrades(token.id)
  const trades = useMemo(() => marked.filter((trade) => trade.seq <= moment.seq), [marked, moment.seq])
  const source = { chart: moment.chart, trades, creatorId: token.creator.id, nowMs: moment.timeMs }
  const data = useChartData({ ...source, isPast: true })
  return (
    <ChartFrame
      token={token}
      data={{ ...data, isBusy: false, failure: null }}
      timeframe={timeframe}
      onTimeframe={onTimeframe}
      change24h={change24h}
    />
  )
}
