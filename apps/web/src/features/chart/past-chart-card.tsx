import { useMemo } from 'react'
import { useThrottled } from '../../lib/hooks/use-throttled.ts'
import type { PastChartProps } from '../../lib/market/chart-input.ts'
import { ChartFrame } from './chart-frame.tsx'
import { useMarkedTrades, useTimeAxis } from './data/use-chart-data.ts'

/** Min time between redraws of the canvas, ms. */
const REDRAW_MS = 150

export function PastChartCard({ token, chart, seq, time, timeframe, onTimeframe, change24h }: PastChartProps) {
  const latest = useMemo(() => ({ chart, seq, timeMs: Date.parse(time) }), [chart, seq, time])
  const moment = useThrottled(latest, REDRAW_MS)
  const marked = useMarkedTrades(token.id)
  const trades = useMemo(() => marked.filter((trade) => trade.seq <= moment.seq), [marked, moment.seq])
  const drawn = useTimeAxis(moment.chart, moment.timeMs, true)
  return (
    <ChartFrame
      token={token}
      data={{ ...drawn, chart: moment.chart, trades }}
      timeframe={timeframe}
      onTimeframe={onTimeframe}
      change24h={change24h}
    />
  )
}
