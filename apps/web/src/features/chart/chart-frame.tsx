import { formatCount, NO_FIGURE } from '@papermoon/format'
import { useNavigate } from '@tanstack/react-router'
import { memo, type ReactNode, type RefObject, startTransition, useEffect, useRef, useState } from 'react'
import { Change } from '../../components/figures/change.tsx'
import { Value } from '../../components/figures/value.tsx'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Chart, cache, type Timeframe, type Token, type TokenId } from '../../lib/api/api.ts'
import { serverNow } from '../../lib/api/server-now.ts'
import { chooseValueUnit, useValueUnit, type ValueUnit } from '../../lib/market/value-unit.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import classes from './chart-card.module.css'
import { ChartReadout } from './chart-readout.tsx'
import { type Range, type Slot, SPAN_MS, toPlotted } from './data/candle-window.ts'
import { TIMEFRAMES, UNITS, VIEWS, type View } from './data/chart-views.ts'
import { keepLook, readLook } from './data/kept-look.ts'
import { showMarks, useShownMarks } from './data/shown-marks.ts'
import { markedSeqs, type Trader } from './data/trade-marks.ts'
import type { ChartData, DrawnData } from './data/use-chart-data.ts'
import { ChartDrawing } from './echarts/chart-drawing.tsx'
import { lastPlace } from './echarts/chart-place.ts'
import type { Level } from './echarts/level-line.tsx'
import { type Size, toPlotPrice } from './echarts/plot-layout.ts'
import { useChartNeeded } from './use-chart-needed.ts'
import { useDrawnChart } from './use-drawn-chart.ts'

interface ChartFrameProps {
  readonly token: Token
  readonly data: ChartData
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  /** Percent; null shows no figure. The token's by default. */
  readonly change24h?: string | null
  readonly levels?: readonly PriceLevel[]
}

/** A price of the player's own, in SOL: the average of their bag, a waiting order. */
export interface PriceLevel extends Omit<Level, 'value'> {
  readonly price: string
}

const NO_LEVELS: readonly PriceLevel[] = []

export function ChartFrame({ levels = NO_LEVELS, change24h, ...props }: ChartFrameProps) {
  const { token, data, timeframe, onTimeframe } = props
  const [view, setView] = useState<View>(() => readLook('view', VIEWS, 'candles'))
  const [ageMs] = useState(() => serverNow() - Date.parse(token.createdAt))
  const unit = useValueUnit()
  const [place, setPlace] = useState<number | null>(null)
  const plot = useRef<HTMLDivElement>(null)
  const size = useSize(plot)
  const { isNeeded, need } = useChartNeeded(plot)
  const { chart, range } = data
  const { window, setWindow, ...drawn } = useDrawnChart(data, size, unit)
  const { slots, widthMs } = drawn
  const openMoment = useOpenMoment(token.id, { chart, slots, widthMs, view })
  const ticks = chart?.ticks ?? []
  const changeView = (next: View) => {
    setView(next)
    keepLook('view', next)
  }
  const changeTimeframe = (next: Timeframe) => {
    setWindow(null)
    onTimeframe(next)
  }
  return (
    <Panel title="Chart">
      <div className={`${classes.top} apart`} onClickCapture={need}>
        <Segmented label="Timeframe" options={toOptions(ageMs)} value={timeframe} onChange={changeTimeframe} />
        <div className={classes.looks}>
          <Segmented label="Chart type" options={VIEWS} value={view} onChange={changeView} />
          <Segmented label="Chart unit" options={UNITS} value={unit} onChange={chooseValueUnit} />
        </div>
      </div>
      <ChartFigures
        high={range.high}
        low={range.low}
        change24h={change24h === undefined ? token.priceChange24h : change24h}
        totalTrades={token.totalTrades}
        unit={unit}
      />
      <ChartReadout
        slots={slots}
        widthMs={widthMs}
        ticks={ticks}
        view={view}
        unit={unit}
        place={place}
        onOpen={openMoment}
      />
      <div ref={plot} className={classes.plot} data-busy={data.isBusy}>
        <ChartDrawing
          label={`Chart of ${token.symbol}: ${view}, ${timeframe}`}
          data={data}
          hasTrades={token.totalTrades > 0}
          isMeasured={size !== null}
          {...drawn}
          window={window}
          setWindow={setWindow}
          view={view}
          unit={unit}
          place={place}
          onPlace={setPlace}
          onAll={() => changeTimeframe('ALL')}
          isNeeded={isNeeded}
          levels={levels.map(({ price, ...level }) => ({ ...level, value: toPlotPrice(price) }))}
          onNeed={need}
          onOpen={openMoment}
        />
        {window !== null && view !== 'ticks' && (
          <button type="button" className={`${classes.now} pill`} onClick={() => setWindow(null)}>
            {window.endMs === null ? 'Show all' : 'Back to now'}
          </button>
        )}
      </div>
      <ChartLegend trades={data.trades} traders={data.traders} isTicks={view === 'ticks'} />
    </Panel>
  )
}

const YOUNGER = { disabled: true, title: 'The token is younger than this, so it is the same as ALL' } as const

/** Timeframes longer than a young token's life show the same as ALL. */
function toOptions(ageMs: number) {
  return TIMEFRAMES.map(({ value }) => {
    const isSame = value !== 'ALL' && SPAN_MS[value] > ageMs
    return { value, label: value, off: isSame ? YOUNGER : undefined }
  })
}

interface ChartFiguresProps extends Range {
  readonly change24h: string | null
  readonly totalTrades: number
  readonly unit: ValueUnit
}

const ChartFigures = memo(function ChartFigures(props: ChartFiguresProps) {
  const { high, low, change24h, totalTrades, unit } = props
  return (
    <dl className={classes.figures}>
      <Figure label="High">{high === null ? NO_FIGURE : <Value price={high} unit={unit} />}</Figure>
      <Figure label="Low">{low === null ? NO_FIGURE : <Value price={low} unit={unit} />}</Figure>
      <Figure label="24h Change">
        <Change percent={change24h} />
      </Figure>
      <Figure label="Total Trades">{formatCount(totalTrades)}</Figure>
    </dl>
  )
})

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** An element's size in pixels; null until the first layout. Uses a ResizeObserver, so it forces no layout. */
function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      // A transition, so that rendering the content may be split.
      startTransition(() => setSize({ width, height }))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}

interface OpenMomentProps {
  readonly chart: Chart | undefined
  /** Drawn columns, each `widthMs` wide. */
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly view: View
}

/** Opens the token's page as it was at a place of the chart: right after a tick, or at the end of a candle. */
function useOpenMoment(id: TokenId, { chart, slots, widthMs, view }: OpenMomentProps): (place: number) => void {
  const navigate = useNavigate()
  const open = (seq: number) => navigate({ to: '/token/$id', params: { id: String(id) }, search: { at: seq } })
  return (place) => {
    if (chart === undefined) return
    const tick = view === 'ticks' ? chart.ticks[place] : undefined
    if (tick !== undefined) return void open(tick.seq)
    const slot = slots[Math.min(place, lastPlace({ slots, ticks: chart.ticks, view }))]
    if (slot === undefined || slot.candle === null || view === 'ticks') return
    // The time before the first candle leads to it: nothing had happened yet.
    const firstMs = toPlotted(chart.candles[0] ?? slot.candle).timeMs + chart.width * 1_000
    const time = new Date(Math.max(slot.timeMs + widthMs, firstMs) - 1).toISOString()
    cache.past.at
      .fetch({ tokenId: id, time }, { staleTime: 0 })
      .then(({ seq }) => open(seq))
      .catch((error: unknown) => showFailure('Could not open that moment', error))
  }
}

interface ChartLegendProps extends Pick<DrawnData, 'trades' | 'traders'> {
  readonly isTicks: boolean
}

/** The legend of the marks, whose entries hide and show them, and how the chart is moved. */
const ChartLegend = memo(function ChartLegend({ trades, traders, isTicks }: ChartLegendProps) {
  const owners = new Set(markedSeqs(trades, traders).values())
  return (
    <div className={classes.legend} data-marks={owners.size > 0}>
      {owners.has('own') && <Switch who="own" label="Your trades" />}
      {owners.has('creator') && <Switch who="creator" label="The creator’s trades" />}
      {!isTicks && owners.size > 0 && <span className={classes.byMouse}>buys below, sales above</span>}
      {!isTicks && (
        <span className={classes.hint}>
          <span className={classes.byMouse}>Drag to move, Ctrl + wheel to zoom</span>
          <span className={classes.byTouch}>Swipe to move, pinch to zoom</span>
        </span>
      )}
    </div>
  )
})

function Switch({ who, label }: { who: Trader; label: string }) {
  const isShown = useShownMarks()[who]
  return (
    <button
      type="button"
      className={classes.key}
      data-who={who}
      aria-pressed={isShown}
      title={isShown ? 'Hide these marks' : 'Show these marks'}
      onClick={() => showMarks(who, !isShown)}
    >
      {label}
    </button>
  )
}
