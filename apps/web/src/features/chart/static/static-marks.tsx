import type { Slot } from '../data/candle-window.ts'
import { markPlaces } from '../data/mark-places.ts'
import type { Mark } from '../data/trade-marks.ts'
import classes from './static-chart.module.css'
import type { StaticPicture } from './static-picture.ts'

interface StaticMarksProps {
  readonly slots: readonly Slot[]
  readonly marks: readonly Mark[]
  readonly picture: StaticPicture
}

/** The marked trades on the static picture. */
export function StaticMarks({ slots, marks, picture }: StaticMarksProps) {
  return markPlaces(slots, marks).map(({ mark: { slot, side, who }, price, size, down, isLettered }) => {
    const x = picture.toX(slot)
    const y = picture.toY(price) + down
    return (
      <g key={`${slot} ${side} ${who}`}>
        <path
          className={classes.mark}
          data-who={who}
          data-small={!isLettered}
          strokeWidth={isLettered ? 2 : 1}
          d={who === 'own' ? circle(x, y, size / 2) : diamond(x, y, size / 2)}
        />
        {isLettered && (
          <text className={classes.letter} data-who={who} x={x} y={y}>
            {side === 'buy' ? 'B' : 'S'}
          </text>
        )}
      </g>
    )
  })
}

function circle(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`
}

function diamond(x: number, y: number, r: number): string {
  return `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`
}
