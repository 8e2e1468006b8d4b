/** An axis of even steps, in numbers of the canvas. */
export interface PriceScale {
  readonly min: number
  readonly max: number
  /** From one line of the grid to the next. */
  readonly step: number
}

/** Room under the lowest and over the highest price, for the marks there, as a part of what lies between them. */
const ROOM = 0.1
const STEPS = 5
/** Digits that a sum of steps is good for; the rest is noise of the last bit. */
const DIGITS = 12

/**
 * The axis of some prices: about five steps of 1, 2, 3 or 5 times a power of ten, with room on either side. ECharts is
 * given it, so that the static picture and the canvas stand on the same lines.
 */
export function computePriceScale(prices: readonly number[]): PriceScale {
  const { low, high } = computeRange(prices)
  const room = ROOM * (high - low || Math.abs(low) || 1)
  const step = niceStep((high - low + 2 * room) / STEPS)
  return {
    min: rounded(Math.floor((low - room) / step) * step),
    max: rounded(Math.ceil((high + room) / step) * step),
    step,
  }
}

/** Where the lines of the grid are, from the lowest on. */
export function toGridLines({ min, max, step }: PriceScale): number[] {
  const count = Math.round((max - min) / step)
  return Array.from({ length: count + 1 }, (_, line) => rounded(min + line * step))
}

function computeRange(prices: readonly number[]): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const price of prices) {
    if (price < low) low = price
    if (price > high) high = price
  }
  return low > high ? { low: 0, high: 0 } : { low, high }
}

/** The length nearest to `length` that reads well; halves as ECharts takes them. */
function niceStep(length: number): number {
  const unit = 10 ** Math.floor(Math.log10(length))
  const parts = length / unit
  const nice = parts < 1.5 ? 1 : parts < 2.5 ? 2 : parts < 4 ? 3 : parts < 7 ? 5 : 10
  return rounded(nice * unit)
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS))
}
