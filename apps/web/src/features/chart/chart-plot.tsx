import { BarChart, CandlestickChart, LineChart } from 'echarts/charts'
import {
  AxisPointerComponent,
  DataZoomInsideComponent,
  GridComponent,
  MarkLineComponent,
  MarkPointComponent,
} from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import ReactECharts from 'echarts-for-react/esm/core'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type ChartRange, fromPercent, type Span, toPercent, toTimes } from './chart-axis.ts'
import { toMarkers } from './chart-marks.tsx'
import { type ChartOptionInput, COLORS, chartOption, type Palette } from './chart-option.ts'

interface ChartPlotProps extends Omit<ChartOptionInput, 'markers' | 'isLettered' | 'palette'> {
  readonly range: ChartRange
  readonly onRange: (range: ChartRange) => void
  /** Position of the cross-hair, or null to hide the cross-hair. */
  readonly position: number | null
  /** Whether the pointer was the last to move the cross-hair. ECharts then draws the cross-hair itself. */
  readonly isPointed: RefObject<boolean>
  /** The plot calls this function with the chart after the first drawing, and with null when the chart is removed. */
  readonly onChart: (chart: echarts.ECharts | null) => void
}

/** The chart must fill its container, because ECharts would otherwise use a height of 300 px. */
const FILL = { height: '100%' }
/** Max number of visible markers with letters. More markers with letters would cover the candles. */
const LETTERED_MAX = 12
/** Max number of visible small markers of a kind. If there are more markers, those close together are merged. */
const MARKS_MAX = 60

/** Draws the chart on a canvas. Other modules import only the types of ECharts. */
export function ChartPlot({ range, onRange, position, isPointed, onChart, ...input }: ChartPlotProps) {
  const { slots, axis, ticks, trades, lines, last, post, view, unit } = input
  const palette = usePalette()
  const { start, end } = toTimes(axis, range)
  const single = useMemo(() => toMarkers(trades, { slots, axis }), [trades, slots, axis])
  const isLettered = single.filter(({ slot }) => slot.timeMs >= start && slot.timeMs <= end).length <= LETTERED_MAX
  // Change the step only by factors of two, so that markers stay the same while the chart moves.
  const merged = 2 ** Math.ceil(Math.log2(Math.max((end - start) / axis.widthMs / MARKS_MAX, 1)))
  const markers = useMemo(
    () => (isLettered ? single : toMarkers(trades, { slots, axis }, axis.widthMs * merged)),
    [isLettered, single, trades, slots, axis, merged],
  )
  const option = useMemo(
    () => chartOption({ slots, axis, ticks, trades, markers, isLettered, lines, last, post, view, unit, palette }),
    [slots, axis, ticks, trades, markers, isLettered, lines, last, post, view, unit, palette],
  )
  const [chart, setChart] = useState<echarts.ECharts | null>(null)
  const shown = useRef<Span>(ALL)
  const onZoom = useEffectEvent((next: Span) => {
    shown.current = next
    onRange(fromPercent(axis, next))
  })
  const events = useMemo(
    () => ({
      datazoom: (event: ZoomEvent) => onZoom(event.batch?.[0] ?? event),
      finished: (_: unknown, drawn: echarts.ECharts) => setChart(drawn),
    }),
    [],
  )
  useEffect(() => {
    onChart(chart)
    return () => onChart(null)
  }, [chart, onChart])
  useEffect(() => {
    const next = toPercent(axis, range)
    if (chart === null || view === 'ticks' || isSame(next, shown.current)) return
    shown.current = next
    chart.dispatchAction({ type: 'dataZoom', ...next })
  }, [chart, view, axis, range])
  useEffect(() => {
    if (chart === null || isPointed.current) return
    const to = position === null ? { currTrigger: 'leave' } : { seriesIndex: 0, dataIndex: position }
    chart.dispatchAction({ type: 'updateAxisPointer', ...to })
  }, [chart, position, isPointed])
  return (
    <ReactECharts style={FILL} echarts={echarts} option={option} replaceMerge="series" lazyUpdate onEvents={events} />
  )
}

const ALL: Span = { start: 0, end: 100 }

/** An event from a pinch or drag, or from `dispatchAction`. */
type ZoomEvent = Span & { readonly batch?: readonly Span[] }

/** Returns whether two ranges in percent are equal, apart from rounding. */
function isSame(one: Span, other: Span): boolean {
  return Math.abs(one.start - other.start) + Math.abs(one.end - other.end) < 0.001
}

/** Returns the current colours of the chart, which change with the colour scheme. */
function usePalette(): Palette {
  const [palette, setPalette] = useState(readPalette)
  useEffect(() => {
    const observer = new MutationObserver(() => setPalette(readPalette()))
    // The root element's attributes determine the colours: the colour scheme, and whether the colours for up and down
    // are swapped.
    observer.observe(document.documentElement, { attributes: true })
    return () => observer.disconnect()
  }, [])
  return palette
}

/** Reads each colour from an element that has it, because only an element resolves `light-dark()`. */
function readPalette(): Palette {
  const probe = document.body.appendChild(document.createElement('span'))
  const style = getComputedStyle(probe)
  const colors = Object.entries(COLORS).map(([key, name]) => {
    probe.style.color = `var(--pm-${name})`
    return [key, style.color]
  })
  const font = style.getPropertyValue('--pm-font-text').trim()
  probe.remove()
  return { ...(Object.fromEntries(colors) as Record<keyof typeof COLORS, string>), font }
}

// Register only the parts of ECharts that the chart uses, so that the chunk contains no others.
echarts.use([
  AxisPointerComponent,
  BarChart,
  CandlestickChart,
  CanvasRenderer,
  DataZoomInsideComponent,
  GridComponent,
  LineChart,
  MarkLineComponent,
  MarkPointComponent,
])
