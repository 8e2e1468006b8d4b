import { type PointerEvent, useState } from 'react'
import classes from '../chart-card.module.css'
import { placeLastLabel, toPlotValue } from './last-price.ts'
import { MARGIN, type Plot, toPrice } from './plot-layout.ts'
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
  readonly scale: PriceScale
  readonly plot: Plot
}

/** A shorter drag is a click, pixels. */
const DRAG_MIN = 4

/** A line at a price of the player's own; at the edge, with an arrow, where the window ends before it. */
export function LevelLine({ level, scale, plot }: LevelLineProps) {
  const { name, value, onPick } = level
  const [draggedTo, setDraggedTo] = useState<number | null>(null)
  const { y, beyond } = placeLastLabel(draggedTo ?? value, scale, plot)
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
        <span>{text}</span>
      ) : (
        <button
          type="button"
          className={classes.level}
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

interface Dragging extends Omit<LevelLineProps, 'level'> {
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
