import type { Slot } from '../data/candle-window.ts'
import { markPlaces } from '../data/mark-places.ts'
import type { Mark } from '../data/trade-marks.ts'
import { computePlotWidth, LANE_ABOVE, LANE_BELOW, MARGIN, type Plot } from '../echarts/plot-layout.ts'
import classes from './static-chart.module.css'
import type { StaticPicture } from './static-picture.ts'

interface StaticMarksProps {
  readonly slots: readonly Slot[]
  readonly marks: readonly Mark[]
  readonly picture: StaticPicture
  readonly plot: Plot
}

/** The marked trades on the static picture. */
export function StaticMarks({ slots, marks, picture, plot }: StaticMarksProps) {
  return markPlaces(slots, marks, computePlotWidth(plot)).map((place) => {
    const { mark, price, width, height, down, text } = place
    const { slot, side, who } = mark
    const lane = side === 'buy' ? picture.floor + LANE_BELOW : MARGIN.top - LANE_ABOVE
    const [x, y] = [picture.toX(slot), (price === null ? lane : picture.toY(price)) + down]
    return (
      <g key={`${slot} ${side} ${who}`}>
        <path
          className={classes.mark}
          data-who={who}
          data-small={text === ''}
          strokeWidth={text === '' ? 1 : 2}
          d={who === 'own' ? pill(x, y, { width, height }) : diamond(x, y, { width, height })}
        />
        {text !== '' && (
          <text className={classes.letter} data-who={who} x={x} y={y}>
            {text}
          </text>
        )}
      </g>
    )
  })
}

interface MarkSize {
  readonly width: number
  readonly height: number
}

/** A circle, or wider with round ends. */
function pill(x: number, y: number, { width, height }: MarkSize): string {
  const r = height / 2
  const across = width - height
  return `M${x - width / 2 + r} ${y - r}h${across}a${r} ${r} 0 0 1 0 ${height}h${-across}a${r} ${r} 0 0 1 0 ${-height}Z`
}

function diamond(x: number, y: number, { width, height }: MarkSize): string {
  return `M${x} ${y - height / 2}L${x + width / 2} ${y}L${x} ${y + height / 2}L${x - width / 2} ${y}Z`
}
