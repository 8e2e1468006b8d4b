import { formatCount, NO_FIGURE } from '@papermoon/format'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { type Query, UnlessFailed } from '../../components/feedback/fetched.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Change } from '../../components/figures/change.tsx'
import { Value } from '../../components/figures/value.tsx'
import { Button } from '../../components/form/button.tsx'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Chart, cache, type MarkedTrade, type Timeframe, type Token, type TokenId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { serverNow } from '../../lib/api/server-now.ts'
import { chooseValueUnit, useValueUnit } from '../../lib/market/value-unit.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import classes from './chart-card.module.css'
import { ChartPicture, Waiting } from './chart-picture.tsx'
import { ChartReadout, Figure } from './chart-readout.tsx'
import type { ChartPositions, ChartRange } from './data/chart-positions.ts'
import {
  readHidden,
  readLook,
  storeHidden,
  storeLook,
  TIMEFRAMES,
  UNITS,
  VIEWS,
  type View,
} from './data/chart-views.ts'
import { findOwned, type Slot, SPAN_MS, type TimeAxis, type Trader } from './data/slots.ts'
import type { Level } from './price-tags.tsx'

export interface ChartData {
  readonly chart: Chart | undefined
  readonly slots: readonly Slot[]
  readonly axis: TimeAxis
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

export function ChartFrame(props: ChartFrameProps) {
  const { token, data, timeframe, onTimeframe, levels = NO_LEVELS } = props
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
      <ChartFigures {...props} />
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

function ChartFigures({ token, data: { chart }, change24h = token.priceChange24h }: ChartFrameProps) {
  const unit = useValueUnit()
  const value = (price: string | null | undefined) => (price == null ? NO_FIGURE : <Value price={price} unit={unit} />)
  return (
    <dl className="row gap-wide small wrap phone-cols-2">
      <Figure label="High">{value(chart?.high)}</Figure>
      <Figure label="Low">{value(chart?.low)}</Figure>
      <Figure label="24h Change">
        <Change percent={change24h} />
      </Figure>
      <Figure label="Total Trades">{formatCount(token.totalTrades)}</Figure>
    </dl>
  )
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

/** Finds the trades of the creator and of the player, and whether the chart shows them. */
function useShownTrades(trades: readonly MarkedTrade[], { creator }: Token) {
  const ownId = useCurrentUser()?.id ?? null
  const creatorId = creator.id
  const [hidden, setHidden] = useState(readHidden)
  const owned = useMemo(() => findOwned(trades, { ownId, creatorId }), [trades, ownId, creatorId])
  const shown = useMemo(() => owned.filter(({ who }) => !hidden.includes(who)), [owned, hidden])
  const onToggle = (who: Trader) => {
    const next = hidden.includes(who) ? hidden.filter((other) => other !== who) : [...hidden, who]
    setHidden(next)
    storeHidden(next)
  }
  return { shown, legend: { owners: new Set(owned.map(({ who }) => who)), hidden, onToggle } }
}

interface ChartLegendProps {
  readonly owners: ReadonlySet<Trader>
  readonly hidden: readonly Trader[]
  readonly onToggle: (who: Trader) => void
  readonly isTicks: boolean
}

const OWNERS = [
  { who: 'own', sign: '●', color: 'var(--pm-moon)', label: 'Your trades' },
  { who: 'creator', sign: '◆', color: 'var(--pm-success)', label: 'The creator’s trades' },
] as const

/** The legend of the trade markers. The legend can hide the markers, and it says how to move the chart. */
function ChartLegend({ owners, hidden, onToggle, isTicks }: ChartLegendProps) {
  return (
    <div className="row gap-wide small wrap control">
      {OWNERS.filter(({ who }) => owners.has(who)).map(({ who, sign, color, label }) => (
        <button
          key={who}
          type="button"
          className={`control ${hidden.includes(who) ? classes.hidden : 'ink'}`}
          aria-pressed={!hidden.includes(who)}
          title={hidden.includes(who) ? 'Show these trades on the chart' : 'Hide these trades on the chart'}
          onClick={() => onToggle(who)}
        >
          <span style={{ color }} aria-hidden="true">
            {sign}
          </span>{' '}
          {label}
        </button>
      ))}
      {!isTicks && (
        // Use one line on phones, because a second line would move the page when the legend arrives.
        <span className={`ml-auto ${owners.size > 0 ? 'phone-hidden' : ''}`}>
          Drag to move the chart. Pinch, or turn the mouse wheel with Ctrl, to zoom.
        </span>
      )}
    </div>
  )
}
