import { type RefObject, useEffect, useRef } from 'react'
import { type ChartWindow, panWindow, type VisibleSlots, zoomWindow } from './data/chart-window.ts'
import { computePlotWidth, MARGIN, type Plot } from './echarts/plot-layout.ts'
import type { ChartZoom } from './use-drawn-chart.ts'

/** A shorter drag is a click, pixels. */
const DRAG_MIN = 5
/** Zoom factor per pixel of the wheel: a notch of 100 pixels shows a fifth more or less. */
const ZOOM_PER_PIXEL = Math.log(1.2) / 100
/** Most pixels of one wheel event; some devices send a page at once. */
const WHEEL_MAX = 300

/** What a chart shows of its time axis, and how that is changed; null where there is nothing to zoom. */
export interface SliderZoom extends ChartZoom {
  readonly plot: Plot
  readonly visible: VisibleSlots
}

/**
 * Moves the window of a chart: a drag or a horizontal swipe pans; two fingers, the wheel with Ctrl or ⌘, or the wheel
 * alone once the chart has the focus, zoom. Otherwise the wheel and vertical swipes scroll the page.
 */
export function useChartGestures(element: RefObject<HTMLElement | null>, zoom: SliderZoom | null): void {
  const latest = useRef(zoom)
  useEffect(() => {
    latest.current = zoom
  })
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const stops = [listenToWheel(target, latest), listenToPointers(target, latest)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [element])
}

type Latest = RefObject<SliderZoom | null>

function listenToWheel(target: HTMLElement, latest: Latest): () => void {
  const onWheel = (event: WheelEvent) => {
    if (latest.current === null) return
    const { visible, plot, window, setWindow } = latest.current
    const isWhole = window === null
    const isHeld = event.ctrlKey || event.metaKey
    if (!isHeld && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      if (isWhole) return
      event.preventDefault()
      return setWindow(panWindow(visible, event.deltaX / slotWidth(visible, plot)))
    }
    if (!isHeld && document.activeElement !== target) return
    // Nothing is left to show: the page scrolls on.
    if (!isHeld && isWhole && event.deltaY > 0) return
    event.preventDefault()
    const pixels = Math.min(Math.max(event.deltaY, -WHEEL_MAX), WHEEL_MAX)
    setWindow(zoomWindow(visible, Math.exp(pixels * ZOOM_PER_PIXEL), toPart(event.clientX, target, plot)))
  }
  // Not passive: a zoom must not scroll the page.
  target.addEventListener('wheel', onWheel, { passive: false })
  return () => target.removeEventListener('wheel', onWheel)
}

/** The window and the pointers when the last of them went down or up. */
interface Drag {
  readonly visible: VisibleSlots
  readonly centre: number
  /** Pixels between two pointers; 0 for one. */
  readonly distance: number
}

function listenToPointers(target: HTMLElement, latest: Latest): () => void {
  const pointers = new Map<number, number>()
  let drag: Drag | null = null
  let isMoved = false
  const restart = () => {
    const xs = [...pointers.values()]
    drag = xs.length === 0 || latest.current === null ? null : { visible: latest.current.visible, ...measure(xs) }
  }
  const onDown = (event: PointerEvent) => {
    if (latest.current === null || event.button !== 0 || pointers.size === 2) return
    if (pointers.size === 0) {
      isMoved = false
      addEventListener('pointermove', onMove)
      addEventListener('pointerup', onUp)
      addEventListener('pointercancel', onUp)
    }
    pointers.set(event.pointerId, event.clientX)
    restart()
  }
  const onMove = (event: PointerEvent) => {
    if (drag === null || latest.current === null || !pointers.has(event.pointerId)) return
    pointers.set(event.pointerId, event.clientX)
    const { centre, distance } = measure([...pointers.values()])
    if (!isMoved && distance === 0 && Math.abs(centre - drag.centre) < DRAG_MIN) return
    isMoved = true
    // ECharts need not look for what is under the pointer meanwhile.
    target.dataset.moving = ''
    const { plot, setWindow } = latest.current
    setWindow(moveWindow(drag, { centre, distance }, { target, plot }))
  }
  const onUp = ({ pointerId }: PointerEvent) => {
    pointers.delete(pointerId)
    if (pointers.size === 0) stopMoving()
    restart()
  }
  const stopMoving = () => {
    delete target.dataset.moving
    removeEventListener('pointermove', onMove)
    removeEventListener('pointerup', onUp)
    removeEventListener('pointercancel', onUp)
  }
  // A drag ends with a click, which would open a moment.
  const onClick = (event: MouseEvent) => {
    if (isMoved) event.stopPropagation()
    isMoved = false
  }
  target.addEventListener('pointerdown', onDown)
  target.addEventListener('click', onClick, { capture: true })
  return () => {
    stopMoving()
    target.removeEventListener('pointerdown', onDown)
    target.removeEventListener('click', onClick, { capture: true })
  }
}

function measure(xs: readonly number[]): { centre: number; distance: number } {
  const [one = 0, other = one] = xs
  return { centre: (one + other) / 2, distance: Math.abs(one - other) }
}

interface Place {
  readonly target: HTMLElement
  readonly plot: Plot
}

function moveWindow(drag: Drag, now: Omit<Drag, 'visible'>, { target, plot }: Place): ChartWindow | null {
  const { visible } = drag
  if (drag.distance > 0 && now.distance > 0) {
    return zoomWindow(visible, drag.distance / now.distance, toPart(now.centre, target, plot))
  }
  return panWindow(visible, (drag.centre - now.centre) / slotWidth(visible, plot))
}

function slotWidth({ first, last }: VisibleSlots, plot: Plot): number {
  return computePlotWidth(plot) / (last - first + 1)
}

/** Where in the width of the plot a pointer is, from 0 to 1. */
function toPart(clientX: number, target: HTMLElement, plot: Plot): number {
  const x = clientX - target.getBoundingClientRect().left - MARGIN.left
  return Math.min(Math.max(x / computePlotWidth(plot), 0), 1)
}
