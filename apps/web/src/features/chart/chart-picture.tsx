import type { ECharts } from 'echarts/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import type { Chart, Post } from '../../lib/api/api.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../lib/boot/when-idle.ts'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import classes from './chart-card.module.css'
import { ChartSlider } from './chart-slider.tsx'
import type { ChartPositions, ChartRange } from './data/chart-positions.ts'
import { type OwnedTrade, toPlotPrice } from './data/slots.ts'
import { type Drag, type Level, PriceTags } from './price-tags.tsx'

const ChartPlot = lazyPart(() => import('./echarts/chart-plot.tsx'), 'ChartPlot')

interface ChartPictureProps extends ChartPositions {
  readonly trades: readonly OwnedTrade[]
  readonly levels: readonly Level[]
  readonly label: string
  readonly unit: ValueUnit
  readonly position: number | null
  readonly onPosition: (position: number | null) => void
  readonly onRange: (range: ChartRange) => void
  readonly onOpen: (position: number) => void
}

/** Load the chart's code when the browser is idle. */
export function ChartPicture({ trades, levels, label, onOpen, ...drawing }: ChartPictureProps) {
  const { slots, ticks, view, unit } = drawing
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => whenIdle(() => setLoaded(true)), [])
  const [chart, setChart] = useState<ECharts | null>(null)
  const isPointed = useRef(false)
  const [drag, setDrag] = useState<Drag | null>(null)
  const post = useMarkedPost()
  const isTicks = view === 'ticks'
  const last = useMemo(() => (isTicks ? null : findLastPrice(slots, ticks)), [isTicks, slots, ticks])
  const lines = useMemo(
    () => (isTicks ? [] : levels.map((level, at) => (at === drag?.position ? { ...level, value: drag.value } : level))),
    [isTicks, levels, drag],
  )
  const plot = { trades, lines, last, post, isPointed, onChart: setChart, ...drawing }
  return (
    <>
      {chart === null && <Waiting />}
      <ChartSlider label={label} isPointed={isPointed} onOpen={onOpen} {...drawing}>
        {isLoaded && <ChartPlot key={isTicks ? 'ticks' : 'time'} {...plot} />}
      </ChartSlider>
      {chart !== null && last !== null && (
        <PriceTags chart={chart} levels={lines} last={last} unit={unit} onDrag={setDrag} />
      )}
    </>
  )
}

export function Waiting() {
  return (
    <div className={`cover ${classes.layer}`}>
      <Skeleton label="Loading chart" width="100%" height="100%" />
    </div>
  )
}

/** Returns the latest price, and whether the price fell because of a sale or rug pull. */
function findLastPrice(slots: ChartPositions['slots'], ticks: Chart['ticks']) {
  const close = slots.at(-1)?.candle.close
  if (close === undefined) return null
  return { value: toPlotPrice(close), isDown: Number(close) === 0 || ticks.at(-1)?.side === 'sell' }
}

type MarkedPost = Pick<Post, 'price' | 'createdAt'>

/**
 * The discussion sends this event with the post that the visitor points at, or with null. An event connects the two,
 * because a shared module would become a separate chunk.
 */
function useMarkedPost(): MarkedPost | null {
  const [post, setPost] = useState<MarkedPost | null>(null)
  useEffect(() => {
    const mark = (event: Event) => setPost((event as CustomEvent<MarkedPost | null>).detail)
    addEventListener('papermoon-post', mark)
    return () => removeEventListener('papermoon-post', mark)
  }, [])
  return post
}
