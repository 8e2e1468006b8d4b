import { useThrottledValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { type Query, UnlessFailed } from '../../components/feedback/fetched.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Button } from '../../components/form/button.tsx'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import {
  type Chart,
  cache,
  type MarkedTrade,
  type Timeframe,
  type Token,
  type TokenId,
  trpc,
} from '../../lib/api/api.ts'
import { serverNow } from '../../lib/api/server-now.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useConnection } from '../../lib/live/socket.ts'
import { toChartInput } from '../../lib/market/chart-input.ts'
import { DAY_FIGURES } from '../../lib/market/listing.ts'
import { chooseValueUnit, useValueUnit } from '../../lib/market/value-unit.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import { type ChartPositions, type ChartRange, toAxis, toSlots } from './chart-axis.ts'
import classes from './chart-card.module.css'
import { ChartLegend, useShownTrades } from './chart-marks.tsx'
import { ChartPicture, Waiting } from './chart-picture.tsx'
import { ChartFigures, ChartReadout } from './chart-readout.tsx'
import { readLook, SPAN_MS, storeLook, TIMEFRAMES, UNITS, VIEWS, type View } from './chart-views.ts'
import { type Level, useLevels } from './price-tags.tsx'

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

interface PastChartCardProps {
  readonly token: Token
  readonly chart: Chart | undefined
  readonly seq: number
  /** ISO time at which the time axis ends. */
  readonly time: string
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  /** The change in percent, or null during a replay. */
  readonly change24h: string | null
}

export function PastChartCard({ token, chart, seq, time, timeframe, onTimeframe, change24h }: PastChartCardProps) {
  const latest = useMemo(() => ({ chart, seq, timeMs: Date.parse(time) }), [chart, seq, time])
  const moment = useThrottledValue(latest, REDRAW_MS)
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

interface ChartData extends Pick<ChartPositions, 'slots' | 'axis'> {
  readonly chart: Chart | undefined
  readonly trades: readonly MarkedTrade[]
  /** Whether the chart still shows older data while the requested data loads. */
  readonly isBusy?: boolean
  /** The chart's query, or undefined if the chart comes from another kind of query. */
  readonly query?: Query<Chart>
}

interface ChartFrameProps {
  readonly token: Token
  readonly data: ChartData
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  /** The change in percent (default: the token's own change), or null to show no value. */
  readonly change24h?: string | null
  readonly levels?: readonly Level[]
}

const NO_LEVELS: readonly Level[] = []

function ChartFrame({ token, data, timeframe, onTimeframe, levels = NO_LEVELS, ...props }: ChartFrameProps) {
  const { change24h = token.priceChange24h } = props
  const { chart, slots, axis, trades } = data
  const [view, setView] = useState<View>(() => readLook('view', VIEWS, 'candles'))
  const [ageMs] = useState(() => serverNow() - Date.parse(token.createdAt))
  const unit = useValueUnit()
  const [position, setPosition] = useState<number | null>(null)
  const [range, setRange] = useState<ChartRange>(null)
  const drawing = { slots, axis, ticks: chart?.ticks ?? NO_TICKS, view, unit, position, range }
  const openMoment = useOpenMoment(token.id, chart, drawing)
  const { shown, legend } = useShownTrades(trades, token)
  const changeView = (next: View) => {
    setView(next)
    setPosition(null)
    storeLook('view', next)
  }
  const changeTimeframe = (next: Timeframe) => {
    setRange(null)
    onTimeframe(next)
  }
  return (
    <Panel title="Chart">
      <div className={`${classes.top} apart`}>
        <Segmented label="Timeframe" options={toOptions(ageMs)} value={timeframe} onChange={changeTimeframe} />
        <div className="acts">
          <Segmented label="Chart type" options={VIEWS} value={view} onChange={changeView} />
          <Segmented label="Chart unit" options={UNITS} value={unit} onChange={chooseValueUnit} />
        </div>
      </div>
      <ChartFigures token={token} chart={chart} change24h={change24h} />
      <div className={`relative ${classes.plot}`} data-busy={data.isBusy}>
        <ChartState data={data} view={view} hasTrades={token.totalTrades > 0} onAll={() => changeTimeframe('ALL')}>
          <ChartPicture
            {...drawing}
            trades={shown}
            levels={levels}
            label={`Chart of ${token.symbol}: ${view}, ${timeframe}`}
            onPosition={setPosition}
            onRange={setRange}
            onOpen={openMoment}
          />
        </ChartState>
        {position !== null && <ChartReadout {...drawing} position={position} onOpen={openMoment} />}
        {range !== null && view !== 'ticks' && (
          <button
            type="button"
            className={`pill absolute on-raised accent text-s ${classes.now}`}
            onClick={() => setRange(null)}
          >
            {range.endMs === null ? 'Show all' : 'Return to now'}
          </button>
        )}
      </div>
      <ChartLegend {...legend} isTicks={view === 'ticks'} />
    </Panel>
  )
}

const NO_TICKS: Chart['ticks'] = []

interface ChartStateProps {
  readonly data: ChartData
  readonly view: View
  readonly hasTrades: boolean
  readonly onAll: () => void
  readonly children: ReactNode
}

/** Shows the chart, or why there is none. */
function ChartState({ data, view, hasTrades, onAll, children }: ChartStateProps) {
  const { query, chart, slots } = data
  const hasFailed = query?.isError === true && query.data === undefined
  if (!hasFailed && hasTrades) {
    if (chart === undefined) return <Waiting />
    if ((view === 'ticks' ? chart.ticks : slots).length > 0) return children
  }
  return (
    <div className="grid high place-center">
      {hasFailed ? (
        <UnlessFailed query={query} failure="Could not load the chart" />
      ) : !hasTrades ? (
        <Notice level={3} emoji="🌒" title="No Trades Yet">
          Make the first trade to see the market cap grow!
        </Notice>
      ) : (
        <Notice
          level={3}
          emoji="😴"
          title="No trades in this period"
          action={
            <Button look="quiet" onClick={onAll}>
              Show all
            </Button>
          }
        />
      )}
    </div>
  )
}

const YOUNGER = { disabled: true, title: 'The token is younger than this period, so ALL shows the same chart' } as const

/** A timeframe longer than a young token's age would show the same chart as ALL. */
function toOptions(ageMs: number) {
  return TIMEFRAMES.map(({ value }) => {
    const isSame = value !== 'ALL' && SPAN_MS[value] > ageMs
    return { value, label: value, off: isSame ? YOUNGER : undefined }
  })
}

/**
 * Opens the token's page at a past time: right after a trade in the ticks view, or at the end of a candle otherwise.
 */
function useOpenMoment(id: TokenId, chart: Chart | undefined, positions: ChartPositions): (position: number) => void {
  const navigate = useNavigate()
  const open = (seq: number) => navigate({ to: '/token/$id', params: { id: String(id) }, search: { at: seq } })
  return (position) => {
    const { slots, axis, ticks, view } = positions
    const tick = ticks[position]
    if (view === 'ticks') return tick && void open(tick.seq)
    // A click on the slot before the first candle opens the first candle's time, because nothing had happened before.
    const slot = slots[Math.min(Math.max(position, 1), slots.length - 1)]
    if (chart === undefined || slot === undefined) return
    const time = new Date(slot.timeMs + axis.widthMs - 1).toISOString()
    cache.past.at
      .fetch({ tokenId: id, time }, { staleTime: 0 })
      .then(({ seq }) => open(seq))
      .catch((error: unknown) => showFailure('Could not show the token at this time', error))
  }
}

/** Min time between two drawings of the canvas, in ms. */
const REDRAW_MS = 150
const MINUTE_S = 60
const MINUTE_MS = 60_000
/** Patches do not replace unchanged candles, so comparing object identities finds the changed ones. */
const CHART_QUERY = { ...DAY_FIGURES, structuralSharing: false } as const

/** Returns a token's chart in a timeframe, and updates it with new trades and as time passes. */
function useChart(token: Token, timeframe: Timeframe): ChartData {
  const { id, ruggedAt, fairId } = token
  const { data: fair } = trpc.fairs.get.useQuery({ id: fairId ?? 0 }, { enabled: fairId !== undefined })
  const query = trpc.tokens.chart.useQuery(toChartInput(id, timeframe), {
    ...CHART_QUERY,
    // Start with the chart of the token's whole life, because the page has preloaded it.
    placeholderData: (before) => before ?? cache.tokens.chart.getData(toChartInput(id, 'ALL')),
  })
  const chart = useThrottledValue(query.data, REDRAW_MS)
  const trades = useThrottledValue(useMarkedTrades(id), REDRAW_MS)
  const now = useNow()
  const { state, since } = useConnection()
  // Add no flat candles while the page is offline, because trades may be missing.
  const stepMs = Math.min((chart?.width ?? MINUTE_S) * 1_000, MINUTE_MS)
  const endedAt = ruggedAt ?? fair?.bellAt ?? null
  const nowMs =
    endedAt !== null ? Date.parse(endedAt) : Math.floor((state === 'offline' ? since : now) / stepMs) * stepMs
  const drawn = useTimeAxis(chart, nowMs)
  return { ...drawn, chart, trades, isBusy: query.isPlaceholderData, query }
}

/** Returns a chart on its time axis, which ends at `nowMs`. A chart of a past time shows no later data. */
function useTimeAxis(chart: Chart | undefined, nowMs: number, isPast = false) {
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
