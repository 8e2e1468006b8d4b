import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import classes from '../chart-card.module.css'
import type { Unit } from '../data/chart-views.ts'
import { lastPlace, type Places, placeAfterKey, placeText } from './chart-place.ts'

interface ChartSliderProps extends Places {
  /** What is drawn, for those who do not see it. */
  readonly label: string
  readonly unit: Unit
  /** Where the cross-hair is; null while it is not shown. */
  readonly place: number | null
  /** Moves the cross-hair; null takes it away. */
  readonly onPlace: (place: number | null) => void
  /** Called when somebody lays a hand on the chart. */
  readonly onTouch: () => void
  /** What it looks like. */
  readonly children: ReactNode
}

/**
 * The chart for the keyboard: a slider over time, whose keys move the cross-hair, while a screen reader hears the exact
 * values there. It stays, with the focus, whatever draws the picture in it.
 */
export function ChartSlider({ label, slots, ticks, view, unit, place, onPlace, onTouch, children }: ChartSliderProps) {
  const plot = useRef<HTMLDivElement>(null)
  usePressElsewhere(plot, place !== null, () => onPlace(null))

  const places = { slots, ticks, view }
  const last = lastPlace(places)
  // The canvas tells a mouse over the room ahead as a place, too.
  const at = place === null ? null : Math.min(place, last)
  const onKeyDown = (event: KeyboardEvent) => {
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
      // The latest candle moves with each trade: it is not read out again and again.
      aria-valuetext={at === null ? 'now; the arrow keys lead back in time' : placeText(places, at, unit)}
      onKeyDown={onKeyDown}
      onFocus={onTouch}
      onBlur={() => onPlace(null)}
      onClick={onTouch}
      // A finger that only scrolls the page past the chart enters it, too.
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && onTouch()}
    >
      {children}
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
