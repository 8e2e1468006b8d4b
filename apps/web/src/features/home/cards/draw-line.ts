/** Width of the drawing in SVG units. */
export const WIDTH = 100
export const HEIGHT = 26
/** Space at the edge for half of the line's stroke width. */
const EDGE = 2

interface DrawnLine {
  /** The SVG paths for the line and for the area below it. */
  readonly line: string
  readonly area: string
  readonly trend: 'up' | 'down' | 'level'
}

/** Draws two or more prices at equal distances, with the lowest price at the bottom and the highest at the top. */
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
