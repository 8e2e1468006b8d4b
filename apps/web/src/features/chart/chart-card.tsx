import { useRef, useState } from 'react'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import type { Timeframe, Token } from '../../lib/api/api.ts'
import classes from './chart-card.module.css'
import { ChartFigures } from './chart-figures.tsx'
import { ChartReadout } from './chart-readout.tsx'
import { UNITS, type Unit, VIEWS, type View } from './data/chart-views.ts'
import { LETTERED_MAX, type Mark } from './data/trade-marks.ts'
import { ChartDrawing } from './echarts/chart-drawing.tsx'
import { useChart } from './echarts/use-chart.ts'
import { useChartNeeded } from './use-chart-needed.ts'
import { useSize } from './use-size.ts'

const TIMEFRAMES: readonly { value: Timeframe; label: string }[] = [
  { value: '1H', label: '1H' },
  { value: '24H', label: '24H' },
  { value: '7D', label: '7D' },
  { value: 'ALL', label: 'ALL' },
]

/** A token's price chart. */
export function ChartCard({ token }: { token: Token }) {
  const [timeframe, setTimeframe] = useState<Timeframe>('ALL')
  const [view, setView] = useState<View>('candles')
  const [unit, setUnit] = useState<Unit>('price')
  const [place, setPlace] = useState<number | null>(null)
  const plot = useRef<HTMLDivElement>(null)
  const size = useSize(plot)
  const { isNeeded, need } = useChartNeeded(plot)
  const data = useChart(token, timeframe)
  const { query, chart, slots, range, marks, marked } = data
  const ticks = chart?.ticks ?? []
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
        <ChartDrawing
          label={`Chart of ${token.symbol}: ${view}, ${timeframe}`}
          data={data}
          hasTrades={token.totalTrades > 0}
          view={view}
          unit={unit}
          size={size}
          place={place}
          onPlace={setPlace}
          onAll={() => setTimeframe('ALL')}
          isNeeded={isNeeded}
          onNeed={need}
        />
      </div>
      <Legend
        shown={view === 'ticks' ? ticks.map(({ seq }) => marked.get(seq)) : marks.map(({ who }) => who)}
        isTicks={view === 'ticks'}
      />
    </Panel>
  )
}

interface LegendProps {
  /** The owner of each marked trade; undefined for unmarked ones. */
  readonly shown: readonly (Mark['who'] | undefined)[]
  readonly isTicks: boolean
}

/** The legend of the marks; empty without marks. */
function Legend({ shown, isTicks }: LegendProps) {
  const hasOwn = shown.includes('own')
  const hasCreator = shown.includes('creator')
  return (
    <p className={classes.legend}>
      {hasOwn && <span className={classes.key}>Your trades</span>}
      {hasCreator && <span className={`${classes.key} ${classes.creatorKey}`}>The creator’s trades</span>}
      {!isTicks && (hasOwn || hasCreator) && (
        <span>{shown.length > LETTERED_MAX ? 'buys under a candle, sales over it' : 'B buy, S sell'}</span>
      )}
    </p>
  )
}
