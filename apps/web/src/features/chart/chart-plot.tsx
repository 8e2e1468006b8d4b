import ReactECharts from 'echarts-for-react/esm/core'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react'
import type { Chart } from '../../lib/api.ts'
import { candleOption } from './candle-option.ts'
import type { Slot } from './candle-window.ts'
import classes from './chart-card.module.css'
import { usePalette } from './chart-palette.ts'
import { lastPlace, placeAfterKey, placeText } from './chart-place.ts'
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
  /** By number, the trades among `ticks` that are marked. */
  readonly marked: ReadonlyMap<number, Mark['who']>
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly unit: Unit
  /** Where the cross-hair is; null while it is not shown. */
  readonly place: number | null
  /** Tells the place on the time axis that the cross-hair is at; null when it leaves. */
  readonly onPlace: (place: number | null) => void
}

/**
 * The canvas. The only place that loads ECharts. With the keyboard it is a slider over time: its keys move the
 * cross-hair, and a screen reader hears the exact values there.
 */
export function ChartPlot({ label, slots, marks, marked, ticks, view, unit, place, onPlace }: ChartPlotProps) {
  const palette = usePalette()
  const option = useMemo(
    () =>
      view === 'ticks'
        ? tickOption({ ticks, marked, unit, palette })
        : candleOption({ slots, marks, view, unit, palette }),
    [slots, marks, marked, ticks, view, unit, palette],
  )
  const chart = useRef<ReactECharts>(null)
  const plot = useRef<HTMLDivElement>(null)
  const events = useMemo(
    () => ({ updateAxisPointer: (event: unknown) => onPlace(placeOf(event)), globalout: () => onPlace(null) }),
    [onPlace],
  )
  const point = (where: number | null) => {
    const to = where === null ? { currTrigger: 'leave' } : { seriesIndex: 0, dataIndex: where }
    chart.current?.getEchartsInstance().dispatchAction({ type: 'updateAxisPointer', ...to })
    onPlace(where)
  }
  usePressElsewhere(plot, place !== null, () => point(null))

  const places = { slots, ticks, view }
  const last = lastPlace(places)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? null : placeAfterKey(event.key, place ?? last, last)
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    point(next)
  }
  return (
    <div
      ref={plot}
      className={classes.picture}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={Math.max(place ?? last, 0)}
      // The latest candle moves with each trade: it is not read out again and again.
      aria-valuetext={place === null ? 'now; the arrow keys lead back in time' : placeText(places, place, unit)}
      onKeyDown={onKeyDown}
      onBlur={() => point(null)}
    >
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

/** Calls `act` when something else is pressed: a finger leaves nothing that it did not press. */
function usePressElsewhere(element: RefObject<HTMLElement | null>, isOn: boolean, act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!isOn) return
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && element.current?.contains(target) === false) latest.current()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [element, isOn])
}

/** The index on the time axis in ECharts' event. */
function placeOf(event: unknown): number | null {
  const { axesInfo } = event as { axesInfo?: readonly { axisDim: string; value: unknown }[] }
  const value = axesInfo?.find((axis) => axis.axisDim === 'x')?.value
  return typeof value === 'number' ? value : null
}
