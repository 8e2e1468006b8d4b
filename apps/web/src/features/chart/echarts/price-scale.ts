export interface PriceScale {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** Margin below the lowest and above the highest price, as a fraction of the range; leaves room for marks. */
const ROOM = 0.1
const STEPS = 5
/** Significant digits of a sum of steps; removes floating-point noise. */
const DIGITS = 12

/**
 * Computes the value axis: about five steps of 1, 2, 3 or 5 times a power of ten, with a margin on both sides. Used by
 * both the static picture and ECharts, so that their grids match.
 */
export function computePriceScale(prices: readonly number[]): PriceScale {
  const [low, high] = prices.length === 0 ? [0, 0] : [Math.min(...prices), Math.max(...prices)]
  const room = ROOM * (high - low || Math.abs(low) || 1)
  const step = niceStep((high - low + 2 * room) / STEPS)
  return {
    min: rounded(Math.floor((low - room) / step) * step),
    max: rounded(Math.ceil((high + room) / step) * step),
    step,
  }
}

/** Positions of the grid lines, lowest first. */
export function toGridLines({ min, max, step }: PriceScale): number[] {
  const count = Math.round((max - min) / step)
  return Array.from({ length: count + 1 }, (_, line) => rounded(min + line * step))
}

/** A round step close to `length`, with the thresholds of ECharts. */
function niceStep(length: number): number {
  const unit = 10 ** Math.floor(Math.log10(length))
  const parts = length / unit
  const nice = parts < 1.5 ? 1 : parts < 2.5 ? 2 : parts < 4 ? 3 : parts < 7 ? 5 : 10
  return rounded(nice * unit)
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS))
}
