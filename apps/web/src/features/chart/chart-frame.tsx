import { useRef, useState } from 'react'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import type { Timeframe, Token } from '../../lib/api/api.ts'
import { chooseValueUnit, useValueUnit } from '../../lib/market/value-unit.ts'
import classes from './chart-card.module.css'
import { ChartFigures } from './chart-figures.tsx'
import { ChartReadout } from './chart-readout.tsx'
import { UNITS, VIEWS, type View } from './data/chart-views.ts'
import { LETTERED_MAX, type Mark } from './data/trade-marks.ts'
import type { ChartData } from './data/use-chart-data.ts'
import { ChartDrawing } from './echarts/chart-drawing.tsx'
import { useChartNeeded } from './use-chart-needed.ts'
import { useOpenMoment } from './use-open-moment.ts'
import { useSize } from './use-size.ts'

const TIMEFRAMES: readonly { value: Timeframe; label: string }[] = [
  { value: '1H', label: '1H' },
  { value: '24H', label: '24H' },
  { value: '7D', label: '7D' },
  { value: 'ALL', label: 'ALL' },
]

interface ChartFrameProps {
  readonly token: Token
  readonly data: ChartData
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  /** Percent; null shows no figure. The token's by default. */
  readonly change24h?: string | null
}

/** A price chart with its switches, figures and legend. */
export function ChartFrame({ token, data, timeframe, onTimeframe, change24h = token.priceChange24h }: ChartFrameProps) {
  const [view, setView] = useState<View>('candles')
  const unit = useValueUnit()
  const [place, setPlace] = useState<number | null>(null)
  const plot = useRef<HTMLDivElement>(null)
  const size = useSize(plot)
  const { isNeeded, need } = useChartNeeded(plot)
  const { chart, slots, range, marks, marked } = data
  const openMoment = useOpenMoment(token.id, data, view)
  const ticks = chart?.ticks ?? []
  return (
    <Panel title="Chart">
      <div className={classes.top} onClickCapture={need}>
        <Segmented label="Timeframe" options={TIMEFRAMES} value={timeframe} onChange={onTimeframe} />
        <div className={classes.looks}>
          <Segmented label="Chart type" options={VIEWS} value={view} onChange={setView} />
          <Segmented label="Chart unit" options={UNITS} value={unit} onChange={chooseValueUnit} />
        </div>
      </div>
      <ChartFigures
        high={range.high}
        low={range.low}
        change24h={change24h}
        totalTrades={token.totalTrades}
        unit={unit}
      />
      <ChartReadout slots={slots} ticks={ticks} view={view} unit={unit} place={place} onOpen={openMoment} />
      <div ref={plot} className={classes.plot} data-busy={data.isBusy}>
        <ChartDrawing
          label={`Chart of ${token.symbol}: ${view}, ${timeframe}`}
          data={data}
          hasTrades={token.totalTrades > 0}
          view={view}
          unit={unit}
          size={size}
          place={place}
          onPlace={setPlace}
          onAll={() => onTimeframe('ALL')}
          isNeeded={isNeeded}
          onNeed={need}
          onOpen={openMoment}
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
