import { Decimal } from '@papermoon/amm'
import { formatSol, formatTokensShort } from '@papermoon/format'
import { useMemo, useState } from 'react'
import {
  type Chart,
  cache,
  type MarkedTrade,
  type Timeframe,
  type Token,
  type TokenId,
  trpc,
} from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useThrottled } from '../../lib/hooks/use-throttled.ts'
import { useConnection } from '../../lib/live/socket.ts'
import { askToChange } from '../../lib/market/asked-change.ts'
import { type PastChartProps, toChartInput } from '../../lib/market/chart-input.ts'
import { DAY_FIGURES } from '../../lib/market/listing.ts'
import { type ChartData, ChartFrame } from './chart-frame.tsx'
import { readLook, storeLook, TIMEFRAMES } from './data/chart-views.ts'
import { toAxis, toPlotPrice, toSlots } from './data/slots.ts'
import type { Level } from './price-tags.tsx'

export function ChartCard({ token }: { token: Token }) {
  const [timeframe, setTimeframe] = useState(() => readLook('timeframe', TIMEFRAMES, 'ALL'))
  const choose = (next: Timeframe) => {
    setTimeframe(next)
    storeLook('timeframe', next)
  }
  const data = useChart(token, timeframe)
  const levels = useLevels(token)
  return <ChartFrame token={token} data={data} timeframe={timeframe} onTimeframe={choose} levels={levels} />
}

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

/**
 * Returns the price lines: the average cost of the player's holding, and the triggers of the player's waiting orders.
 */
function useLevels(token: Token): Level[] {
  const average = useAverage(token)
  const isPlayer = useCurrentUser() !== null && token.ruggedAt === null
  const { data } = trpc.waitingOrders.list.useQuery({ tokenId: token.id }, { enabled: isPlayer })
  return useMemo(() => {
    const orders = (data?.orders ?? []).flatMap(({ id: orderId, kind, left, below, above, isTriggered }) => {
      const size = kind === 'buy' ? `${formatSol(left, 2)} SOL` : formatTokensShort(left)
      const level = (name: string, trigger: 'below' | 'above', price: string | null): Level[] => {
        if (price === null || price === '0') return []
        const onPick = (moved: string | null) =>
          askToChange({ orderId, ...(moved !== null && { moved: { trigger, price: moved } }) })
        return [{ name: `${name} ${size}`, value: toPlotPrice(price), onPick: isTriggered ? undefined : onPick }]
      }
      return [
        ...level(kind === 'buy' ? 'Buy' : 'Stop', 'below', below),
        ...level(isTriggered ? 'Triggered, sell' : 'Sell', 'above', above),
      ]
    })
    return average === null ? orders : [{ name: 'Your average cost', value: toPlotPrice(average) }, ...orders]
  }, [data, average])
}

/**
 * Returns the average price that the player paid per token, including fees. Returns null if the player holds nothing.
 */
function useAverage({ id, ruggedAt }: Token): string | null {
  const user = useCurrentUser()
  const { data } = trpc.trading.position.useQuery({ tokenId: id }, { enabled: user !== null })
  if (user === null || ruggedAt !== null || data === undefined || data.amount === '0') return null
  return new Decimal(data.cost).div(data.amount).toFixed()
}

/** Min time between two drawings of the canvas, in ms. */
const REDRAW_MS = 150
const MINUTE_S = 60
const MINUTE_MS = 60_000
/** Patches do not replace unchanged candles, so comparing object identities finds the changed ones. */
const CHART_QUERY = { ...DAY_FIGURES, structuralSharing: false } as const

/** Returns a token's chart in a timeframe, and updates it with new trades and as time passes. */
function useChart(token: Token, timeframe: Timeframe): ChartData {
  const { id, ruggedAt } = token
  const query = trpc.tokens.chart.useQuery(toChartInput(id, timeframe), {
    ...CHART_QUERY,
    // Start with the chart of the token's whole life, because the page has preloaded it.
    placeholderData: (before) => before ?? cache.tokens.chart.getData(toChartInput(id, 'ALL')),
  })
  const chart = useThrottled(query.data, REDRAW_MS)
  const trades = useThrottled(useMarkedTrades(id), REDRAW_MS)
  const now = useNow()
  const { state, since } = useConnection()
  // Add no flat candles while the page is offline, because trades may be missing.
  const stepMs = Math.min((chart?.width ?? MINUTE_S) * 1_000, MINUTE_MS)
  const nowMs =
    ruggedAt !== null ? Date.parse(ruggedAt) : Math.floor((state === 'offline' ? since : now) / stepMs) * stepMs
  const drawn = useTimeAxis(chart, nowMs)
  return { ...drawn, chart, trades, isBusy: query.isPlaceholderData, query }
}

/** Returns a chart on its time axis, which ends at `nowMs`. A chart of a past time shows no later data. */
function useTimeAxis(chart: Chart | undefined, nowMs: number, isPast = false): Pick<ChartData, 'slots' | 'axis'> {
  return useMemo(() => {
    const widthMs = (chart?.width ?? MINUTE_S) * 1_000
    const slots = toSlots(chart?.candles ?? [], widthMs, nowMs)
    return { slots, axis: toAxis(slots, widthMs, isPast) }
  }, [chart, nowMs, isPast])
}

const NONE: readonly MarkedTrade[] = []

/**
 * Returns the trades of the token's creator and of the player, newest first. The server sends these trades separately,
 * because in a busy market they drop out of `tokens.trades` within a second.
 */
function useMarkedTrades(id: TokenId): readonly MarkedTrade[] {
  return trpc.tokens.markedTrades.useQuery({ id }).data ?? NONE
}
