import ReactECharts from 'echarts-for-react/esm/core'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { Chart } from '../../../lib/api/api.ts'
import classes from '../chart-card.module.css'
import type { Slot } from '../data/candle-window.ts'
import type { Unit, View } from '../data/chart-views.ts'
import type { Mark } from '../data/trade-marks.ts'
import { candleOption } from './candle-option.ts'
import { usePalette } from './chart-palette.ts'
import { echarts } from './echarts.ts'
import type { Size } from './plot-layout.ts'
import { tickOption } from './tick-option.ts'

/** The chart is 300 px high where nothing else is said. */
const FILL = { height: '100%' }

export interface ChartPlotProps {
  readonly slots: readonly Slot[]
  readonly marks: readonly Mark[]
  /** By number, the trades among `ticks` that are marked. */
  readonly marked: ReadonlyMap<number, Mark['who']>
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly unit: Unit
  readonly size: Size
  /** Where the cross-hair is; null while it is not shown. */
  readonly place: number | null
  /** Tells the place on the time axis that the cross-hair is at; null when it leaves. */
  readonly onPlace: (place: number | null) => void
  /** Whether the canvas can be seen: it is hidden until it is drawn. */
  readonly isDrawn: boolean
  readonly onDrawn: () => void
}

/** The canvas. The only place that loads ECharts. */
export function ChartPlot(props: ChartPlotProps) {
  const { slots, marks, marked, ticks, view, unit, size, place, onPlace, isDrawn, onDrawn } = props
  const palette = usePalette()
  const option = useMemo(
    () =>
      view === 'ticks'
        ? tickOption({ ticks, marked, unit, palette })
        : candleOption({ slots, marks, view, unit, palette, size }),
    [slots, marks, marked, ticks, view, unit, palette, size],
  )
  const chart = useRef<ReactECharts>(null)
  /** Where ECharts itself says that its cross-hair is. */
  const told = useRef<number | null>(null)
  const events = useMemo(() => {
    const tell = (where: number | null) => {
      told.current = where
      onPlace(where)
    }
    return {
      updateAxisPointer: (event: unknown) => tell(parsePlace(event)),
      globalout: () => tell(null),
      finished: onDrawn,
    }
  }, [onPlace, onDrawn])
  usePointer(chart, isDrawn, place, told)
  return (
    <div className={classes.layer} data-drawn={isDrawn}>
      <ReactECharts
        ref={chart}
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

/** Leads the cross-hair to where the keyboard, or the static picture, has it. */
function usePointer(
  chart: RefObject<ReactECharts | null>,
  isDrawn: boolean,
  place: number | null,
  told: RefObject<number | null>,
): void {
  useEffect(() => {
    if (!isDrawn || place === told.current) return
    told.current = place
    const to = place === null ? { currTrigger: 'leave' } : { seriesIndex: 0, dataIndex: place }
    chart.current?.getEchartsInstance()?.dispatchAction({ type: 'updateAxisPointer', ...to })
  }, [chart, isDrawn, place, told])
}

/** The index on the time axis in ECharts' event. */
function parsePlace(event: unknown): number | null {
  const { axesInfo } = event as { axesInfo?: readonly { axisDim: string; value: unknown }[] }
  const value = axesInfo?.find((axis) => axis.axisDim === 'x')?.value
  return typeof value === 'number' ? value : null
}
