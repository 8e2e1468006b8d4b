import { type PointerEvent, useState } from 'react'
import classes from '../chart-card.module.css'
import { placeLastLabel, toPlotValue } from './last-price.ts'
import { computePlotWidth, MARGIN, type Plot, toPrice } from './plot-layout.ts'
import type { PriceScale } from './price-scale.ts'

/** A price of the player's own, in plot numbers. */
export interface Level {
  readonly name: string
  readonly value: number
  /** Opens what the line stands for, with the price in SOL that it was dragged to, or null. Left out: it only shows. */
  readonly onPick?: ((movedTo: string | null) => void) | undefined
}

interface LevelLineProps {
  readonly level: Level
  readonly label: LabelPlace | undefined
  readonly scale: PriceScale
  readonly plot: Plot
}

/** A shorter drag is a click, pixels. */
const DRAG_MIN = 4

/** A label's height with a gap, pixels. */
const LABEL_HEIGHT = 22
/** Width of a label's character, and of what is around its text, pixels. */
const CHARACTER = 6.5
const AROUND_TEXT = 24

/** A label's place: pixels from the plot's left edge, and above its line. */
interface LabelPlace {
  readonly left: number
  readonly above: number
}

/** Where the labels are: beside those that they would cover; where there is no room for that, above or below. */
export function placeLabels(levels: readonly Level[], scale: PriceScale, plot: Plot): LabelPlace[] {
  const placed: (LabelPlace & { readonly y: number; readonly right: number })[] = []
  for (const { name, value } of levels) {
    const { y, beyond } = placeLastLabel(value, scale, plot)
    const width = (name.length + (beyond === null ? 0 : 2)) * CHARACTER + AROUND_TEXT
    const places = [0, 1, -1, 2, -2].flatMap((rows) => {
      const above = rows * LABEL_HEIGHT
      const near = placed.filter((other) => Math.abs(other.y - y + above) < LABEL_HEIGHT)
      return [0, ...near.map(({ right }) => right)]
        .filter((left) => near.every((other) => left >= other.right || left + width <= other.left))
        .map((left) => ({ left, right: left + width, above, y: y - above }))
    })
    const fitting = places.find(({ right }) => right <= computePlotWidth(plot))
    placed.push(fitting ?? places[0] ?? { left: 0, right: width, above: 0, y })
  }
  return placed.map(({ left, above }) => ({ left, above }))
}

/** A line at a price of the player's own; at the edge, with an arrow, where the window ends before it. */
export function LevelLine({ level, label, scale, plot }: LevelLineProps) {
  const { name, value, onPick } = level
  const [draggedTo, setDraggedTo] = useState<number | null>(null)
  const { y, beyond } = placeLastLabel(draggedTo ?? value, scale, plot)
  const style = label && { left: label.left, translate: `0 ${-label.above}px` }
  const arrow = beyond === null ? '' : beyond === 'above' ? ' ↑' : ' ↓'
  const text = `${name}${arrow}`
  return (
    <span
      className={classes.average}
      data-beyond={beyond !== null}
      aria-hidden={onPick === undefined}
      style={{ left: MARGIN.left, right: plot.right, top: y }}
    >
      {onPick === undefined ? (
        <span style={style}>{text}</span>
      ) : (
        <button
          type="button"
          className={classes.level}
          style={style}
          title="Drag to change"
          aria-label={`Change: ${name}`}
          // A pointer has opened it already; keys have not.
          onClick={({ detail }) => detail === 0 && onPick(null)}
          {...dragLine({ y, scale, plot, onDrag: setDraggedTo, onPick })}
        >
          {text}
        </button>
      )}
    </span>
  )
}

interface Dragging extends Pick<LevelLineProps, 'scale' | 'plot'> {
  readonly y: number
  readonly onDrag: (value: number | null) => void
  readonly onPick: (movedTo: string | null) => void
}

/** Handlers that drag the line with a mouse or pen; a finger's swipe scrolls the page, and its tap opens. */
function dragLine({ y, scale, plot, onDrag, onPick }: Dragging) {
  const moved = ({ clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const from = Number(currentTarget.dataset.from)
    return Math.abs(clientY - from) < DRAG_MIN
      ? null
      : toPlotValue(Number(currentTarget.dataset.top) + clientY - from, scale, plot)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { currentTarget, clientY, pointerId, pointerType } = event
      Object.assign(currentTarget.dataset, { from: clientY, top: y })
      if (pointerType !== 'touch') currentTarget.setPointerCapture(pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) onDrag(moved(event))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const value = event.pointerType === 'touch' ? null : moved(event)
      onDrag(null)
      onPick(value === null ? null : toPrice(value))
    },
    onPointerCancel: () => onDrag(null),
  }
}
