import { type PointerEvent, useCallback, useMemo, useState } from 'react'
import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Button } from '../../../components/form/button.tsx'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import classes from '../chart-card.module.css'
import { toExtremes } from '../data/candle-window.ts'
import { axisLabel } from '../data/chart-views.ts'
import type { VisibleSlots } from '../data/chart-window.ts'
import type { ChartData } from '../data/use-chart-data.ts'
import { StaticChart } from '../static/static-chart.tsx'
import type { ChartZoom } from '../use-drawn-chart.ts'
import { lastPlace } from './chart-place.ts'
import type { ChartPlotProps } from './chart-plot.tsx'
import { ChartSlider } from './chart-slider.tsx'
import { type LastPrice, placeLastLabel } from './last-price.ts'
import { type Level, LevelLine, placeLabels } from './level-line.tsx'
import { MARGIN, type Plot, placeAt } from './plot-layout.ts'
import { PostMark } from './post-mark.tsx'
import { computePriceScale, type PriceScale } from './price-scale.ts'

interface ChartDrawingProps extends Omit<ChartPictureProps, 'ticks'> {
  readonly data: ChartData
  readonly hasTrades: boolean
  readonly isMeasured: boolean
  readonly onAll: () => void
}

/** The chart, or its loading, empty or failed state. */
export function ChartDrawing({ data, hasTrades, isMeasured, onAll, ...picture }: ChartDrawingProps) {
  const { failure, chart } = data
  if (failure === null && hasTrades) {
    if (chart === undefined || !isMeasured) return <Waiting />
    const drawn = picture.view === 'ticks' ? chart.ticks : data.slots
    if (drawn.length > 0) return <ChartPicture ticks={chart.ticks} {...picture} />
  }
  return (
    <div className={classes.empty}>
      {failure !== null ? (
        <FetchFailed
          level={3}
          title="Could not load the chart"
          query={{ error: failure.error, refetch: failure.retry }}
        />
      ) : !hasTrades ? (
        <Notice level={3} emoji="🌒" title="No Trades Yet">
          Make the first trade to see the market cap grow!
        </Notice>
      ) : (
        <Notice
          level={3}
          emoji="😴"
          title="No trades in this period"
          action={
            <Button look="quiet" onClick={onAll}>
              Show all
            </Button>
          }
        />
      )}
    </div>
  )
}

const ChartPlot = lazyPart(() => import('../echarts/chart-plot.tsx'), 'ChartPlot')

type Drawing = Omit<ChartPlotProps, 'isDrawn' | 'onDrawn'>

interface ChartPictureProps extends Drawing, ChartZoom {
  readonly visible: VisibleSlots
  readonly label: string
  readonly isNeeded: boolean
  readonly levels: readonly Level[]
  readonly onNeed: () => void
  readonly onOpen: (place: number) => void
}

/** The static picture first; ECharts replaces it once it is needed and rendered. */
function ChartPicture(props: ChartPictureProps) {
  const { label, isNeeded, levels, onNeed, onOpen, visible, window, setWindow, ...drawing } = props
  const { view, plot, slots, last, unit } = drawing
  const [isDrawn, setDrawn] = useState(false)
  const onDrawn = useCallback(() => setDrawn(true), [])
  const isCandles = view !== 'ticks'
  const scale = useMemo(() => computePriceScale(toExtremes(slots)), [slots])
  const places = placeLabels(levels, scale, plot)
  const zoom = isCandles ? { plot, visible, window, setWindow } : null
  return (
    <>
      <ChartSlider label={label} onTouch={onNeed} onOpen={onOpen} zoom={zoom} {...drawing}>
        {isCandles && last !== null && <LastPriceLabel last={last} scale={scale} plot={plot} unit={unit} />}
        {!isDrawn && <StillChart {...drawing} />}
        {isNeeded && <ChartPlot {...drawing} isDrawn={isDrawn} onDrawn={onDrawn} />}
        {isCandles && <PostMark slots={slots} widthMs={drawing.widthMs} plot={plot} />}
      </ChartSlider>
      {isCandles &&
        levels.map((level, index) => (
          <LevelLine
            key={`${level.name} ${level.value}`}
            level={level}
            label={places[index]}
            scale={scale}
            plot={plot}
          />
        ))}
    </>
  )
}

/** The static picture with pointer tracking; the ticks view has none. */
function StillChart({ ticks, marked: _, onPlace, ...still }: Drawing) {
  const { slots, view, plot } = still
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
      <StaticChart {...still} />
    </div>
  )
}

function Waiting() {
  return <Skeleton label="Loading chart" width="100%" height="100%" />
}

/** Pixels from the plot to the label. */
const GAP = 5

interface LastPriceLabelProps {
  readonly last: LastPrice
  readonly scale: PriceScale
  readonly plot: Plot
  readonly unit: ValueUnit
}

/** The latest price beside the value axis; an arrow says that it is beyond what the window shows. */
function LastPriceLabel({ last, scale, plot, unit }: LastPriceLabelProps) {
  const { y, beyond } = placeLastLabel(last.value, scale, plot)
  const color = last.isDown ? 'var(--pm-down)' : 'var(--pm-up)'
  const arrow = beyond === null ? '' : beyond === 'above' ? '↑' : '↓'
  return (
    <>
      {beyond === null && (
        <span
          className={classes.lastLine}
          aria-hidden="true"
          style={{ left: MARGIN.left, right: plot.right, top: y, color }}
        />
      )}
      <span
        className={classes.last}
        aria-hidden="true"
        style={{ left: plot.width - plot.right + GAP, top: y, background: color }}
      >
        {arrow}
        {axisLabel(last.value, unit, scale.step / 10)}
      </span>
    </>
  )
}
