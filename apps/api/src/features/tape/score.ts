import { computeFee, Decimal, type Price, percentText, type Sol } from '@papermoon/amm'
import { STRIP_SQUARES, TAPE_MS } from '@papermoon/contract/tape'

/** SOL with which every game starts. */
const STAKE: Sol = new Decimal(1)
const SQUARE_MS = TAPE_MS / STRIP_SQUARES
const ZERO = new Decimal(0)

/** A price that is valid from the time `ms` on. The first point of a game is at the time 0. */
export interface TapePoint {
  readonly ms: number
  readonly price: Price
}

/**
 * Times in ms at which a player bought and sold; null if the player did not buy or sell. Tokens that are not sold are
 * held to the end.
 */
export interface Moves {
  readonly boughtMs: number | null
  readonly soldMs: number | null
}

/** Returns the last price at a certain time. */
function findPrice(points: readonly TapePoint[], ms: number): Price {
  const point = points.findLast((each) => each.ms <= ms) ?? points[0]
  if (point === undefined) throw new Error('the tape has no points')
  return point.price
}

/**
 * Computes the SOL won or lost by buying with 1 SOL and selling, at recorded prices and with a fee on both trades. The
 * trades do not change the price. Amounts are rounded as in real trades: tokens and proceeds down, fees up.
 */
export function computeGain(points: readonly TapePoint[], { boughtMs, soldMs }: Moves): Sol {
  if (boughtMs === null) return ZERO
  const bought = findPrice(points, boughtMs)
  return computeGainAt(bought, findPrice(points, soldMs ?? TAPE_MS))
}

function computeGainAt(bought: Price, sold: Price): Sol {
  const tokens = STAKE.sub(computeFee(STAKE)).div(bought).toDecimalPlaces(6, Decimal.ROUND_DOWN)
  const gross = tokens.mul(sold).toDecimalPlaces(9, Decimal.ROUND_DOWN)
  return gross.sub(computeFee(gross)).sub(STAKE)
}

/**
 * Finds the best possible gain and the first times at which it was possible. If the player would lose with every buy,
 * buying nothing is best.
 */
export function findBest(points: readonly TapePoint[]): Moves & { readonly gain: Sol } {
  let best: Moves & { gain: Sol } = { boughtMs: null, soldMs: null, gain: ZERO }
  let lowest = points[0]
  for (const point of points) {
    if (lowest === undefined || point.price.lt(lowest.price)) lowest = point
    const gain = computeGainAt(lowest.price, point.price)
    if (gain.gt(best.gain)) best = { boughtMs: lowest.ms, soldMs: point.ms, gain }
  }
  return best
}

/** Draws one square for each ninth of the game. Each square shows whether the player held tokens, and the price. */
export function drawStrip(points: readonly TapePoint[], { boughtMs, soldMs }: Moves): string {
  const squares = Array.from({ length: STRIP_SQUARES }, (_, index) => {
    const from = Math.max(index * SQUARE_MS, boughtMs ?? TAPE_MS)
    const to = Math.min((index + 1) * SQUARE_MS, soldMs ?? TAPE_MS)
    if (from >= to) return '⬛'
    const change = findPrice(points, to).cmp(findPrice(points, from))
    return change > 0 ? '🟩' : change < 0 ? '🟥' : '⬜'
  })
  return squares.join('')
}

/** Formats a gain as a percentage of the stake. */
export function toPercent(gain: Sol): string {
  return percentText(gain, STAKE)
}
