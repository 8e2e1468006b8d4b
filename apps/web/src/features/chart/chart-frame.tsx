import { useRef, useState } from 'react'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import type { Timeframe, Token } from '../../lib/api/api.ts'
import { chooseValueUnit, useValueUnit } from '../../lib/market/value-unit.ts'
import classes from './chart-card.module.css'
import { ChartFigures } from './chart-figures.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ChartReadout } from './chart-readout.tsx'
import { UNITS, VIEWS, type View } from './data/chart-views.ts'
import type { ChartData } from './data/use-chart-data.ts'
import { ChartDrawing } from './echarts/chart-drawing.tsx'
import { useChartNeeded } from './use-chart-needed.ts'
import { useDrawnChart } from './use-drawn-chart.ts'
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
  const { chart, range } = data
  const { window, setWindow, ...drawn } = useDrawnChart(data, size, unit)
  const { slots, widthMs } = drawn
  const openMoment = useOpenMoment(token.id, { chart, slots, widthMs, view })
  const ticks = chart?.ticks ?? []
  const changeTimeframe = (next: Timeframe) => {
    setWindow(null)
    onTimeframe(next)
  }
  return (
    <Panel title="Chart">
      <div className={classes.top} onClickCapture={need}>
        <Segmented label="Timeframe" options={TIMEFRAMES} value={timeframe} onChange={changeTimeframe} />
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
          onNeed={need}
          onOpen={openMoment}
        />
        {window !== null && view !== 'ticks' && (
          <button type="button" className={classes.now} onClick={() => setWindow(null)}>
            {window.endMs === null ? 'Show all' : 'Back to now'}
          </button>
        )}
      </div>
      <ChartLegend trades={data.trades} traders={data.traders} isTicks={view === 'ticks'} />
    </Panel>
  )
}
