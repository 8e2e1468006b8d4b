import { lazy, type PointerEvent, Suspense, useCallback, useMemo, useState } from 'react'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import classes from '../chart-card.module.css'
import { toExtremes } from '../data/candle-moves.ts'
import type { VisibleSlots } from '../data/chart-window.ts'
import { lastPlace } from '../echarts/chart-place.ts'
import type { ChartPlotProps } from '../echarts/chart-plot.tsx'
import { ChartSlider } from '../echarts/chart-slider.tsx'
import { placeAt } from '../echarts/plot-layout.ts'
import { computePriceScale } from '../echarts/price-scale.ts'
import { LastPriceLabel } from '../last-price-label.tsx'
import type { ChartZoom } from '../use-drawn-chart.ts'
import { StaticChart } from './static-chart.tsx'

const ChartPlot = lazy(() =>
  lazyImport(() => import('../echarts/chart-plot.tsx')).then((module) => ({ default: module.ChartPlot })),
)

type Drawing = Omit<ChartPlotProps, 'isDrawn' | 'onDrawn'>

export interface ChartPictureProps extends Drawing, ChartZoom {
  readonly visible: VisibleSlots
  /** Accessible name. */
  readonly label: string
  /** Whether to load ECharts. */
  readonly isNeeded: boolean
  readonly onNeed: () => void
  /** Opens the moment at a slot. */
  readonly onOpen: (place: number) => void
}

/** The static picture first; ECharts replaces it once it is needed and rendered. */
export function ChartPicture(props: ChartPictureProps) {
  const { label, isNeeded, onNeed, onOpen, visible, window, setWindow, ...drawing } = props
  const { view, plot, slots, last, unit } = drawing
  const [isDrawn, setDrawn] = useState(false)
  const onDrawn = useCallback(() => setDrawn(true), [])
  const isCandles = view !== 'ticks'
  const scale = useMemo(() => computePriceScale(toExtremes(slots)), [slots])
  const zoom = isCandles ? { plot, visible, window, setWindow } : null
  return (
    <ChartSlider label={label} onTouch={onNeed} onOpen={onOpen} zoom={zoom} {...drawing}>
      {isCandles && last !== null && <LastPriceLabel last={last} scale={scale} plot={plot} unit={unit} />}
      {!isDrawn && <StillChart {...drawing} />}
      {isNeeded && (
        <Suspense fallback={null}>
          <ChartPlot {...drawing} isDrawn={isDrawn} onDrawn={onDrawn} />
        </Suspense>
      )}
    </ChartSlider>
  )
}

/** The static picture with pointer tracking; the ticks view has none. */
function StillChart({ slots, widthMs, marks, last: lastPrice, view, ticks, unit, plot, place, onPlace }: Drawing) {
  if (view === 'ticks') return <Waiting />
  const last = lastPlace({ slots, ticks, view })
  const point = ({ clientX, currentTarget }: { clientX: number; currentTarget: Element }) =>
    onPlace(placeAt(clientX - currentTarget.getBoundingClientRect().left, plot, { places: slots.length, last }))
  const isFinger = ({ pointerType }: PointerEvent) => pointerType === 'touch'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the slider around it has the keys.
    <div
      className={classes.layer}
      onClick={point}
      onPointerMove={(event) => isFinger(event) || point(event)}
      onPointerLeave={(event) => isFinger(event) || onPlace(null)}
    >
      <StaticChart
        slots={slots}
        widthMs={widthMs}
        marks={marks}
        last={lastPrice}
        view={view}
        unit={unit}
        plot={plot}
        place={place}
      />
    </div>
  )
}

/** Placeholder of the chart. */
export function Waiting() {
  return (
    <div className={classes.waiting} role="status">
      <span className="visually-hidden">Loading chart</span>
      <Skeleton width="100%" height="100%" />
    </div>
  )
}
