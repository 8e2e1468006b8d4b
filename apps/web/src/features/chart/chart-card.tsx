import { useState } from 'react'
import type { Timeframe, Token } from '../../lib/api/api.ts'
import { ChartFrame } from './chart-frame.tsx'
import { useChart } from './echarts/use-chart.ts'

/** A token's price chart, updated live. */
export function ChartCard({ token }: { token: Token }) {
  const [timeframe, setTimeframe] = useState<Timeframe>('ALL')
  const data = useChart(token, timeframe)
  return <ChartFrame token={token} data={data} timeframe={timeframe} onTimeframe={setTimeframe} />
}
