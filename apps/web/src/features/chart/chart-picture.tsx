import { useClickOutside } from '@mantine/hooks'
import { formatMarketCap } from '@papermoon/format'
import type { ECharts } from 'echarts/core'
import {
  type KeyboardEvent,
  type PointerEvent as Pointer,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { toMarketCap } from '../../components/figures/value.tsx'
import type { Post } from '../../lib/api/api.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../lib/boot/when-idle.ts'
import { nameValue, type ValueUnit } from '../../lib/market/value-unit.ts'
import { positionAfterKey } from '../../lib/ui/position-after-key.ts'
import {
  type ChartPositions,
  type ChartRange,
  findVisible,
  formatSlotTime,
  panRange,
  positionAt,
  toPlotPrice,
  zoomRange,
} from './chart-axis.ts'
import classes from './chart-card.module.css'
import type { OwnedTrade } from './chart-marks.tsx'
import { type Drag, type Level, PriceTags } from './price-tags.tsx'

const ChartPlot = lazyPart(() => import('./chart-plot.tsx'), 'ChartPlot')

/** What the chart shows, and the position of its cross-hair, or null while the cross-hair is hidden. */
export interface ChartDrawing extends ChartPositions {
  readonly unit: ValueUnit
  readonly position: number | null
}

interface ChartPictureProps extends ChartDrawing {
  readonly trades: readonly OwnedTrade[]
  readonly levels: readonly Level[]
  readonly label: string
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
function findLastPrice(slots: ChartPositions['slots'], ticks: ChartPositions['ticks']) {
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

interface ChartSliderProps
  extends ChartDrawing,
    Pick<ChartPictureProps, 'label' | 'onPosition' | 'onRange' | 'onOpen'> {
  /** Whether the pointer was the last to move the cross-hair. */
  readonly isPointed: RefObject<boolean>
  readonly children: ReactNode
}

/** Min distance that a pressed pointer must move to drag the chart, in px. */
const CLICK_MAX = 4

/**
 * Makes the chart a slider over time, for the keyboard and screen readers. The slider moves the cross-hair and
 * announces exact values.
 */
function ChartSlider(props: ChartSliderProps) {
  const { label, unit, position, onPosition, isPointed, onRange, onOpen, children, ...positions } = props
  const pressedX = useRef(0)
  const { first, last } = findVisible(positions)
  const at = position === null ? null : Math.min(position, last)
  const move = (next: number | null, isByPointer: boolean) => {
    isPointed.current = isByPointer
    onPosition(next)
  }
  // Hide the cross-hair when the player presses something else, because there is no leave event for touch.
  const leave = ({ target }: Event) => keepsPosition(target) || move(null, false)
  const element = useClickOutside<HTMLDivElement>(leave, ['pointerdown'], undefined, position !== null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && at !== null) return onOpen(at)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = afterKey(event.key, positions, at)
    if (next === undefined) return
    event.preventDefault()
    move(next.position, false)
    onRange(next.range)
  }
  const onPointer = ({ clientX, currentTarget }: Pointer) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    move(positionAt(clientX - left, width, positions), true)
  }
  return (
    <div
      ref={element}
      className={`cover ${classes.layer}`}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={first}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={Math.max(at ?? last, 0)}
      // Use a constant text while the cross-hair is hidden, because screen readers would otherwise announce every
      // trade.
      aria-valuetext={
        at === null ? 'Latest price. Use the arrow keys to go back in time.' : describePosition(positions, at, unit)
      }
      onKeyDown={onKeyDown}
      // ECharts prevents scrolling on each wheel event it gets, so pass on only events with a modifier key.
      onWheelCapture={(event) => event.ctrlKey || event.metaKey || event.stopPropagation()}
      onBlur={({ relatedTarget }) => keepsPosition(relatedTarget) || move(null, false)}
      onPointerDown={(event) => {
        pressedX.current = event.clientX
        onPointer(event)
      }}
      onPointerMove={onPointer}
      // After a tap, the values stay on the screen until the player presses something else.
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && move(null, true)}
      onClick={({ nativeEvent: click }) => {
        // A tap moves only the cross-hair, because the button for the time machine then appears beside the values.
        if (at === null || !(click instanceof PointerEvent) || click.pointerType !== 'mouse') return
        if (Math.abs(click.clientX - pressedX.current) <= CLICK_MAX) onOpen(at)
      }}
    >
      {children}
    </div>
  )
}

/** Returns whether an element is among the values above the chart, which belong to the cross-hair. */
function keepsPosition(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-keeps-position]') !== null
}

const ZOOM_STEP = 1.5

/**
 * Returns the position and the visible part after a key press, or undefined for a key that does nothing in the chart.
 */
export function afterKey(
  key: string,
  positions: ChartPositions,
  position: number | null,
): { readonly position: number | null; readonly range: ChartRange } | undefined {
  const { slots, axis, range, view } = positions
  const { first, last } = findVisible(positions)
  const at = position ?? last
  if (key === 'Escape') return { position: null, range }
  if (view !== 'ticks') {
    const atMs = slots[at]?.timeMs ?? axis.endMs
    if (key === '+' || key === '=') return { position, range: zoomRange(axis, range, { factor: 1 / ZOOM_STEP, atMs }) }
    if (key === '-') return { position, range: zoomRange(axis, range, { factor: ZOOM_STEP, atMs }) }
    if (key === '0') return { position, range: null }
  }
  if (key === 'Home') return { position: first, range }
  if (key === 'End') return { position: last, range }
  const next = positionAfterKey(key, at, view === 'ticks' ? last : slots.length - 1)
  if (next === undefined) return undefined
  const beyond = Math.min(next - first, 0) + Math.max(next - last, 0)
  return { position: next, range: beyond === 0 ? range : panRange(axis, range, beyond * axis.widthMs) }
}

/** Describes a position with exact prices, for screen readers. */
export function describePosition(
  { slots, axis, ticks, view }: ChartPositions,
  position: number,
  unit: ValueUnit,
): string {
  const formatFigure = (price: string) => (unit === 'price' ? `${price} SOL` : formatMarketCap(toMarketCap(price)))
  if (view === 'ticks') {
    const tick = ticks[position]
    if (tick === undefined) return ''
    const time = formatSlotTime(Date.parse(tick.time))
    return `After trade ${tick.seq} (${tick.side}) at ${time}, the ${nameValue(unit)} was ${formatFigure(tick.price)}`
  }
  const slot = slots[position]
  if (slot === undefined) return ''
  const { open, high, low, close, volume } = slot.candle
  const values = Object.entries({ open, high, low, close }).map(([name, price]) => `${name} ${formatFigure(price)}`)
  return `${formatSlotTime(slot.timeMs, axis.widthMs)}: ${values.join(', ')}, volume ${volume} SOL`
}
