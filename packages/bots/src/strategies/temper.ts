import type { Random } from '../random/random.ts'

export interface Temper {
  /** How often the bot looks at the market, relative to other bots. */
  readonly activity: number
  /** Median size of an order, in SOL. */
  readonly size: number
  /** Standard deviation of the logarithm of an order's size. */
  readonly sizeSpread: number
  /** Max holding of one token, in SOL of cost. */
  readonly bagMax: number
  /** Max part of a pool's SOL or tokens that one order trades. */
  readonly poolShareMax: number
  /** Price that a market maker expects, as a multiple of the launch price. */
  readonly fairMultiple: number
  /** Gain at which the bot takes profit, as a fraction. */
  readonly greed: number
  /** Loss at which the bot sells, as a fraction. */
  readonly fear: number
  /** How long the bot usually holds a token, in ms. */
  readonly patienceMs: number
  /** How much the bot's trust in strangers' tokens depends on their creators, from 0 (not at all) to 1. */
  readonly caution: number
}

/**
 * Parameters of the distribution of large orders: part of all orders in the Pareto tail, start of the tail, exponent,
 * and largest order, in medians. The parameters are assumptions.
 */
const TAIL_SHARE = 0.06
const TAIL_START = 3
const TAIL_EXPONENT = 2
const SIZE_MAX = 25

/** Draws an order's size in SOL from a log-normal distribution with a bounded Pareto tail. */
export function drawSize({ size, sizeSpread }: Temper, random: Random): number {
  const drawn = random.chance(TAIL_SHARE)
    ? random.pareto(size * TAIL_START, TAIL_EXPONENT)
    : random.logNormal(size, sizeSpread)
  return Math.min(drawn, size * SIZE_MAX)
}
