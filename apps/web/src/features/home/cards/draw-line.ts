/** Units of the drawing. */
export const WIDTH = 100
export const HEIGHT = 26
/** Room for half the stroke. */
const EDGE = 2

interface DrawnLine {
  /** SVG paths: the line, and the area below it. */
  readonly line: string
  readonly area: string
  readonly trend: 'up' | 'down' | 'level'
}

/** Draws prices at equal distances, at least two. The lowest is at the bottom and the highest at the top. */
export function drawLine(prices: readonly number[]): DrawnLine {
  const low = Math.min(...prices)
  const high = Math.max(...prices)
  const toY = (price: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((price - low) / (high - low)) * (HEIGHT - 2 * EDGE)
  const points = prices.map((price, index) => `${round((index / (prices.length - 1)) * WIDTH)} ${round(toY(price))}`)
  const line = `M${points.join('L')}`
  const change = (prices.at(-1) ?? 0) - (prices[0] ?? 0)
  return { line, area: `${line}V${HEIGHT}H0Z`, trend: change > 0 ? 'up' : change < 0 ? 'down' : 'level' }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
