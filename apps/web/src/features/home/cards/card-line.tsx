import type { Token } from '../../../lib/api/api.ts'
import { priceLabel } from '../../../lib/format/format.ts'
import classes from './card-line.module.css'
import { drawLine, HEIGHT, WIDTH } from './draw-line.ts'
import { useFigures } from './use-figures.ts'

/** The price of the last 24 hours as a line; its end follows the live price. */
export function CardLine({ token }: { token: Token }) {
  const figures = useFigures(token.id)
  if (figures === undefined) return null
  const prices = [...figures.sparkline.slice(0, -1), token.currentPrice]
  const { line, area, trend } = drawLine(prices.map(Number))
  const [first = token.currentPrice] = prices
  return (
    <svg
      className={`${classes.line} ${classes[trend]}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Last 24 hours: from ${priceLabel(first)} to ${priceLabel(token.currentPrice)} SOL`}
    >
      <path className={classes.area} d={area} />
      <path className={classes.stroke} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
