import { Decimal } from '@papermoon/amm'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { type Timeframe, type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useThrottled } from '../../lib/hooks/use-throttled.ts'
import { useConnection } from '../../lib/live/live.ts'
import { toChartInput } from '../../lib/market/chart-input.ts'
import { DAY_FIGURES } from '../../lib/market/listing.ts'
import { ChartFrame } from './chart-frame.tsx'
import { type ChartData, useChartData, useMarkedTrades } from './data/use-chart-data.ts'

/** A token's price chart, updated live. */
export function ChartCard({ token }: { token: Token }) {
  const [timeframe, setTimeframe] = useState<Timeframe>('ALL')
  const data = useChart(token, timeframe)
  const average = useAverage(token)
  return <ChartFrame token={token} data={data} timeframe={timeframe} onTimeframe={setTimeframe} average={average} />
}

/** What the player's bag cost for a token, fees included; null without a bag. */
function useAverage({ id, ruggedAt }: Token): string | null {
  const user = useCurrentUser()
  const { data } = trpc.trading.position.useQuery({ tokenId: id }, { enabled: user !== null })
  if (user === null || ruggedAt !== null || data === undefined || data.amount === '0') return null
  return new Decimal(data.cost).div(data.amount).toFixed()
}

/** Min time between redraws of the canvas, ms. */
const REDRAW_MS = 150
const MINUTE_MS = 60_000
/** Patches keep the candles that they do not change, so nothing needs to be compared to find these. */
const CHART_QUERY = { ...DAY_FIGURES, placeholderData: keepPreviousData, structuralSharing: false } as const

/** The data of a token's chart in a timeframe, updated with trades and time. */
function useChart(token: Token, timeframe: Timeframe): ChartData {
  const { id, creator } = token
  const query = trpc.tokens.chart.useQuery(toChartInput(id, timeframe), CHART_QUERY)
  const chart = useThrottled(query.data, REDRAW_MS)
  const trades = useThrottled(useMarkedTrades(id), REDRAW_MS)
  const now = useNow()
  const { state, since } = useConnection()
  // While offline, do not extend the chart with flat candles: there may have been trades.
  const stepMs = Math.min((chart?.width ?? 60) * 1_000, MINUTE_MS)
  const nowMs = Math.floor((state === 'offline' ? since : now) / stepMs) * stepMs
  const data = useChartData({ chart, trades, creatorId: creator.id, nowMs })
  // Keep showing data when a refetch fails.
  const isFailed = query.isError && query.data === undefined
  return {
    ...data,
    isBusy: query.isPlaceholderData,
    failure: isFailed ? { error: query.error, retry: () => void query.refetch() } : null,
  }
}
