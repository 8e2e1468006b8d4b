import {
  type KeyboardEvent,
  type PointerEvent as Pointer,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import classes from './chart-card.module.css'
import {
  afterKey,
  type ChartPositions,
  type ChartRange,
  describePosition,
  findVisible,
  positionAt,
} from './data/chart-positions.ts'

interface ChartSliderProps extends ChartPositions {
  readonly label: string
  readonly unit: ValueUnit
  /** The cross-hair's position, or null while the cross-hair is hidden. */
  readonly position: number | null
  readonly onPosition: (position: number | null) => void
  /** Whether the pointer was the last to move the cross-hair. */
  readonly isPointed: RefObject<boolean>
  readonly onRange: (range: ChartRange) => void
  readonly onOpen: (position: number) => void
  readonly children: ReactNode
}

/** CSS selector of the values above the chart. */
const KEEPS_PLACE = '[data-keeps-position]'
/** Min distance that a pressed pointer must move to drag the chart, in px. */
const CLICK_MAX = 4

/**
 * Makes the chart a slider over time, for the keyboard and screen readers. The slider moves the cross-hair and
 * announces exact values.
 */
export function ChartSlider(props: ChartSliderProps) {
  const { label, unit, position, onPosition, isPointed, onRange, onOpen, children, ...positions } = props
  const element = useRef<HTMLDivElement>(null)
  const pressedX = useRef(0)
  const { first, last } = findVisible(positions)
  const at = position === null ? null : Math.min(position, last)
  const move = (next: number | null, isByPointer: boolean) => {
    isPointed.current = isByPointer
    onPosition(next)
  }
  usePressElsewhere(element, position !== null, () => move(null, false))
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
      onBlur={({ relatedTarget }) => relatedTarget?.closest(KEEPS_PLACE) || move(null, false)}
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

/** Calls `act` when the player presses something else, because there is no leave event for touch. */
function usePressElsewhere(element: RefObject<HTMLElement | null>, isOn: boolean, act: () => void): void {
  const leave = useEffectEvent(act)
  useEffect(() => {
    if (!isOn) return
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest(KEEPS_PLACE) !== null) return
      if (element.current?.contains(target) === false) leave()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [element, isOn])
}
