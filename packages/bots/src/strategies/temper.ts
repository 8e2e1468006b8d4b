import type { Random } from '../random/random.ts'

/** How a bot carries out its strategy. */
export interface Temper {
  /** How often it looks at the market, relative to the others. */
  readonly activity: number
  /** Median order in SOL. */
  readonly size: number
  /** Standard deviation of the logarithm of an order's size. */
  readonly sizeSpread: number
  /** Largest holding of one token, in SOL of cost. */
  readonly bagMax: number
  /** Gain at which it takes profit, as a fraction. */
  readonly greed: number
  /** Loss at which it gives up, as a fraction. */
  readonly fear: number
  /** How long it usually holds. */
  readonly patienceMs: number
}

/** Share of orders from the Pareto tail, its start in medians, its exponent, and the largest order in medians: assumptions. */
const TAIL_SHARE = 0.06
const TAIL_START = 3
const TAIL_EXPONENT = 2
const SIZE_MAX = 25

/** Draws an order's size in SOL: a log-normal body with a Pareto tail, bounded. */
export function drawSize({ size, sizeSpread }: Temper, random: Random): number {
  const drawn = random.chance(TAIL_SHARE)
    ? random.pareto(size * TAIL_START, TAIL_EXPONENT)
    : random.logNormal(size, sizeSpread)
  return Math.min(drawn, size * SIZE_MAX)
}
