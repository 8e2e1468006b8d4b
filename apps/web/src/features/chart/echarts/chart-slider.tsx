import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { placeAfterKey } from '../../../lib/ui/place-after-key.ts'
import classes from '../chart-card.module.css'
import { type SliderZoom, useChartGestures } from '../use-chart-gestures.ts'
import { lastPlace, type Places, placeText, windowAfterKey } from './chart-place.ts'

interface ChartSliderProps extends Places {
  readonly label: string
  readonly unit: ValueUnit
  /** The cross-hair's slot; null while hidden. */
  readonly place: number | null
  /** Moves the cross-hair; null hides it. */
  readonly onPlace: (place: number | null) => void
  readonly onTouch: () => void
  readonly onOpen: (place: number) => void
  /** Null where the chart has nothing to zoom, as in the ticks view. */
  readonly zoom: SliderZoom | null
  readonly children: ReactNode
}

/**
 * Makes the chart accessible by keyboard and screen reader: a slider over time that moves the cross-hair and announces
 * exact values. It keeps the focus when the static picture is replaced by the canvas.
 */
export function ChartSlider(props: ChartSliderProps) {
  const { label, slots, widthMs, ticks, view, unit, place, onPlace, onTouch, onOpen, zoom, children } = props
  const plot = useRef<HTMLDivElement>(null)
  usePressElsewhere(plot, place !== null, () => onPlace(null))
  useChartGestures(plot, zoom)

  const places = { slots, widthMs, ticks, view }
  const last = lastPlace(places)
  // ECharts also reports the empty slots on the right.
  const at = place === null ? null : Math.min(place, last)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && at !== null) return onOpen(at)
    if (zoom !== null && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const window = windowAfterKey(event.key, zoom, { place: at ?? last, places: slots.length })
      if (window !== undefined) {
        event.preventDefault()
        return zoom.setWindow(window)
      }
    }
    const next = event.key === 'Escape' ? null : placeAfterKey(event.key, at ?? last, last)
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onPlace(next)
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
      aria-valuenow={Math.max(at ?? last, 0)}
      // Without a cross-hair use a constant text, so that screen readers do not announce every trade.
      aria-valuetext={at === null ? 'now; use the arrow keys to go back in time' : placeText(places, at, unit)}
      onKeyDown={onKeyDown}
      onFocus={onTouch}
      onBlur={() => onPlace(null)}
      onClick={({ nativeEvent }) => {
        onTouch()
        // A finger's tap only moves the cross-hair; the readout then offers the moment.
        if (at !== null && nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'mouse') onOpen(at)
      }}
      // Touches also enter when the page is only scrolled across the chart.
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && onTouch()}
    >
      {children}
    </div>
  )
}

/** Calls `act` when something else is pressed: touch has no leave event. */
function usePressElsewhere(element: RefObject<HTMLElement | null>, isOn: boolean, act: () => void): void {
  const leave = useEffectEvent(act)
  useEffect(() => {
    if (!isOn) return
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest('[data-keeps-place]') !== null) return
      if (element.current?.contains(target) === false) leave()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [element, isOn])
}
