import ReactECharts from 'echarts-for-react/esm/core'
import { useMemo } from 'react'
import type { Chart } from '../../lib/api.ts'
import { candleOption } from './candle-option.ts'
import type { Slot } from './candle-window.ts'
import classes from './chart-card.module.css'
import { usePalette } from './chart-palette.ts'
import type { Unit, View } from './chart-views.ts'
import { echarts } from './echarts.ts'
import { tickOption } from './tick-option.ts'
import type { Mark } from './trade-marks.ts'

/** The chart is 300 px high where nothing else is said. */
const FILL = { height: '100%' }

interface ChartPlotProps {
  /** What is drawn, for those who do not see it. */
  readonly label: string
  readonly slots: readonly Slot[]
  readonly marks: readonly Mark[]
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly unit: Unit
  /** Tells the place on the time axis that the cross-hair is at; null when it leaves. */
  readonly onPlace: (place: number | null) => void
}

/** The canvas. The only place that loads ECharts. */
export function ChartPlot({ label, slots, marks, ticks, view, unit, onPlace }: ChartPlotProps) {
  const palette = usePalette()
  const option = useMemo(
    () =>
      view === 'ticks' ? tickOption({ ticks, unit, palette }) : candleOption({ slots, marks, view, unit, palette }),
    [slots, marks, ticks, view, unit, palette],
  )
  const events = useMemo(
    () => ({ updateAxisPointer: (event: unknown) => onPlace(placeOf(event)), globalout: () => onPlace(null) }),
    [onPlace],
  )
  return (
    <div className={classes.picture} role="img" aria-label={label}>
      <ReactECharts
        // Candles, line and ticks share no series: each view has a canvas of its own.
        key={view}
        className={classes.canvas}
        style={FILL}
        echarts={echarts}
        option={option}
        lazyUpdate
        onEvents={events}
      />
    </div>
  )
}

/** The index on the time axis in ECharts' event. */
function placeOf(event: unknown): number | null {
  const { axesInfo } = event as { axesInfo?: readonly { axisDim: string; value: unknown }[] }
  const value = axesInfo?.find((axis) => axis.axisDim === 'x')?.value
  return typeof value === 'number' ? value : null
}
