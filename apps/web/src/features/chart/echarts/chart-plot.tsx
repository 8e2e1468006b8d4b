import { CustomChart, LineChart, ScatterChart } from 'echarts/charts'
import { AxisPointerComponent, GridComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import ReactECharts from 'echarts-for-react/esm/core'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { Chart } from '../../../lib/api/api.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import classes from '../chart-card.module.css'
import { type Slot, toExtremes, toPlotted } from '../data/candle-window.ts'
import type { View } from '../data/chart-views.ts'
import type { DrawnChart } from '../use-drawn-chart.ts'
import { registerBoxes } from './boxes-shape.ts'
import { candleOption } from './candle-option.ts'
import { usePalette } from './chart-palette.ts'
import { toY } from './last-price.ts'
import { computeBand, MARGIN, type Plot } from './plot-layout.ts'
import { computePriceScale } from './price-scale.ts'
import { tickOption } from './tick-option.ts'

/** ECharts defaults to a height of 300 px. */
const FILL = { height: '100%' }

export interface ChartPlotProps extends Omit<DrawnChart, 'visible'> {
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly unit: ValueUnit
  /** The cross-hair's slot; null while hidden. */
  readonly place: number | null
  /** Called with the slot under the pointer; null when it leaves. */
  readonly onPlace: (place: number | null) => void
  /** Whether the canvas is visible; it stays hidden until its first render. */
  readonly isDrawn: boolean
  readonly onDrawn: () => void
}

/** The ECharts canvas. The only module that imports ECharts. */
export function ChartPlot(props: ChartPlotProps) {
  const { slots, widthMs, marks, marked, last, ticks, view, unit, plot, place, onPlace, isDrawn, onDrawn } = props
  const palette = usePalette()
  const option = useMemo(
    () =>
      view === 'ticks'
        ? tickOption({ ticks, marked, unit, palette, plot })
        : candleOption({ slots, widthMs, marks, last, view, unit, palette, plot }),
    [slots, widthMs, marks, marked, last, ticks, view, unit, palette, plot],
  )
  const chart = useRef<ReactECharts>(null)
  /** The slot last reported by ECharts itself. */
  const reported = useRef<number | null>(null)
  /** Whether the pointer moved the cross-hair last. ECharts also reports, sometimes late, the places that we dispatch. */
  const isPointed = useRef(false)
  const onPointer = () => {
    isPointed.current = true
  }
  const events = useMemo(() => {
    const tell = (where: number | null) => {
      reported.current = where
      onPlace(where)
    }
    return {
      updateAxisPointer: (event: unknown) => isPointed.current && tell(parsePlace(event)),
      globalout: () => tell(null),
      finished: onDrawn,
    }
  }, [onPlace, onDrawn])
  const findPoint = (at: number) => (view === 'ticks' ? { seriesIndex: 0, dataIndex: at } : toPoint(at, slots, plot))
  usePointer(chart, { isDrawn, place, reported, isPointed, findPoint })
  return (
    <div className={classes.layer} data-drawn={isDrawn} onPointerMove={onPointer} onPointerDown={onPointer}>
      <ReactECharts
        ref={chart}
        // The views share no series, so each has its own chart instance.
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

/** The closing price of a slot, in pixels. */
function toPoint(place: number, slots: readonly Slot[], plot: Plot): { x: number; y: number } {
  const candle = slots[place]?.candle
  const scale = computePriceScale(toExtremes(slots))
  const x = MARGIN.left + (place + 0.5) * computeBand(plot, slots.length)
  return { x, y: candle == null ? MARGIN.top : toY(toPlotted(candle).close, scale, plot) }
}

interface Pointer {
  readonly isDrawn: boolean
  readonly place: number | null
  /** The slot last reported by ECharts itself. */
  readonly reported: RefObject<number | null>
  readonly isPointed: RefObject<boolean>
  /** Where the cross-hair of a slot is, as ECharts takes it. */
  readonly findPoint: (place: number) => object
}

/** Moves the cross-hair to a slot chosen by keyboard or on the static picture. */
function usePointer(chart: RefObject<ReactECharts | null>, pointer: Pointer): void {
  const { isDrawn, place, reported, isPointed, findPoint } = pointer
  const find = useEffectEvent(findPoint)
  useEffect(() => {
    if (!isDrawn || place === reported.current) return
    reported.current = place
    isPointed.current = false
    const to = place === null ? { currTrigger: 'leave' } : find(place)
    chart.current?.getEchartsInstance()?.dispatchAction({ type: 'updateAxisPointer', ...to })
  }, [chart, isDrawn, place, reported, isPointed])
}

/** The slot in ECharts' `updateAxisPointer` event. */
function parsePlace(event: unknown): number | null {
  const { axesInfo } = event as { axesInfo?: readonly { axisDim: string; value: unknown }[] }
  const value = axesInfo?.find((axis) => axis.axisDim === 'x')?.value
  return typeof value === 'number' ? value : null
}

// Register only what is used, to keep the rest out of the chunk.
echarts.use([AxisPointerComponent, CanvasRenderer, CustomChart, GridComponent, LineChart, ScatterChart])
registerBoxes()

export { echarts }
