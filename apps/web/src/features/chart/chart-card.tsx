import { useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FetchFailed } from '../../components/fetch-failed.tsx'
import { Notice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { Segmented } from '../../components/segmented.tsx'
import type { Timeframe, Token } from '../../lib/api.ts'
import classes from './chart-card.module.css'
import { ChartFigures } from './chart-figures.tsx'
import { ChartPicture, Waiting } from './chart-picture.tsx'
import { ChartReadout } from './chart-readout.tsx'
import { UNITS, type Unit, VIEWS, type View } from './chart-views.ts'
import { LETTERED_MAX, type Mark } from './trade-marks.ts'
import { useChart } from './use-chart.ts'
import { useChartNeeded } from './use-chart-needed.ts'
import { useSize } from './use-size.ts'

const TIMEFRAMES: readonly { value: Timeframe; label: string }[] = [
  { value: '1H', label: '1H' },
  { value: '24H', label: '24H' },
  { value: '7D', label: '7D' },
  { value: 'ALL', label: 'ALL' },
]

/** A token's price over time. */
export function ChartCard({ token }: { token: Token }) {
  const [timeframe, setTimeframe] = useState<Timeframe>('ALL')
  const [view, setView] = useState<View>('candles')
  const [unit, setUnit] = useState<Unit>('price')
  const [place, setPlace] = useState<number | null>(null)
  const plot = useRef<HTMLDivElement>(null)
  const size = useSize(plot)
  const { isNeeded, need } = useChartNeeded(plot)
  const { query, chart, slots, range, marks, marked } = useChart(token, timeframe)
  const ticks = chart?.ticks ?? []
  const isBlank = view === 'ticks' ? ticks.length === 0 : slots.length === 0

  const drawing = () => {
    // One that is there stays when the next answer does not come.
    if (query.isError && query.data === undefined)
      return <ChartFailed error={query.error} onRetry={() => void query.refetch()} />
    if (token.totalTrades === 0) return <NoTrades />
    if (chart === undefined || size === null) return <Waiting />
    if (isBlank) return <QuietTimes onAll={() => setTimeframe('ALL')} />
    return (
      <ChartPicture
        label={`Chart of ${token.symbol}: ${view}, ${timeframe}`}
        slots={slots}
        marks={marks}
        marked={marked}
        ticks={ticks}
        view={view}
        unit={unit}
        size={size}
        place={place}
        onPlace={setPlace}
        isNeeded={isNeeded}
        onNeed={need}
      />
    )
  }
  return (
    <Panel title="Chart">
      <div className={classes.top} onClickCapture={need}>
        <Segmented label="Timeframe" options={TIMEFRAMES} value={timeframe} onChange={setTimeframe} />
        <div className={classes.looks}>
          <Segmented label="Chart type" options={VIEWS} value={view} onChange={setView} />
          <Segmented label="Chart unit" options={UNITS} value={unit} onChange={setUnit} />
        </div>
      </div>
      <ChartFigures
        high={range.high}
        low={range.low}
        change24h={token.priceChange24h}
        totalTrades={token.totalTrades}
      />
      <ChartReadout slots={slots} ticks={ticks} view={view} unit={unit} place={place} />
      <div ref={plot} className={classes.plot} data-busy={query.isPlaceholderData}>
        {drawing()}
      </div>
      <Legend
        shown={view === 'ticks' ? ticks.map(({ seq }) => marked.get(seq)) : marks.map(({ who }) => who)}
        isTicks={view === 'ticks'}
      />
    </Panel>
  )
}

function NoTrades() {
  return (
    <div className={classes.empty}>
      <Notice level={3} emoji="🌒" title="No Trades Yet">
        Make the first trade to see the market cap grow!
      </Notice>
    </div>
  )
}

function QuietTimes({ onAll }: { onAll: () => void }) {
  return (
    <div className={classes.empty}>
      <Notice
        level={3}
        emoji="😴"
        title="Nobody traded in this time"
        action={
          <Button look="quiet" onClick={onAll}>
            Show all
          </Button>
        }
      />
    </div>
  )
}

function ChartFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={classes.empty}>
      <FetchFailed level={3} title="The chart is out of reach" error={error} onRetry={onRetry} />
    </div>
  )
}

interface LegendProps {
  /** Whose trades are marked, mark by mark. */
  readonly shown: readonly (Mark['who'] | undefined)[]
  readonly isTicks: boolean
}

/** What the marks mean, where there are any. */
function Legend({ shown, isTicks }: LegendProps) {
  const hasOwn = shown.includes('own')
  const hasCreator = shown.includes('creator')
  return (
    <p className={classes.legend}>
      {hasOwn && <span className={classes.key}>Your trades</span>}
      {hasCreator && <span className={`${classes.key} ${classes.creatorKey}`}>The creator’s trades</span>}
      {!isTicks && (hasOwn || hasCreator) && (
        <span>{shown.length > LETTERED_MAX ? 'under a candle buys, over it sales' : 'B buy, S sell'}</span>
      )}
    </p>
  )
}
