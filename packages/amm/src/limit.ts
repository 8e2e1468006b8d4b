import { FEE_RATE } from './constants.ts'
import { Decimal } from './decimal.ts'
import type { Pool } from './pool.ts'
import { spotPrice } from './price.ts'
import { ceilSol, cutPriceQuotient, ZERO } from './rounding.ts'
import { PRICE_DECIMALS, type Price, SOL_DECIMALS, type Sol, TOKEN_DECIMALS, type Tokens } from './units.ts'

/** Fraction of an amount that is left after the fee. */
const KEPT = new Decimal(1).sub(FEE_RATE)

/** Min SOL of a fill, and of an order that keeps waiting. */
export const FILL_MIN: Sol = new Decimal('0.001')

/** By default a stop sells at no less than this fraction of its price. */
export const LEAST_SHARE: Decimal = new Decimal('0.9')

/** Max loss by rounding in a fill of `FILL_MIN`, doubled, as fractions: a lamport, and a millionth of a token. */
const LAMPORT_LOSS = new Decimal('2e-6')
const MICRO_LOSS = new Decimal('2e-3')

/** Max spot price of a buy with this limit. The fee is included, so no token costs more than the limit. */
export function buyBound(price: Price): Price {
  return price.mul(KEPT).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_DOWN)
}

/** Min spot price of a sale with this limit. The fee is included, so no token sells for less than the limit. */
export function saleBound(price: Price): Price {
  return price.div(KEPT).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_UP)
}

/** Min SOL between the spot price and a fill's bound, so that rounding cannot spoil its average price. */
function leastRoom(pool: Pool): Sol {
  return Decimal.max(FILL_MIN, ceilSol(pool.sol.mul(spotPrice(pool).mul(MICRO_LOSS).add(LAMPORT_LOSS))))
}

/** The bounds that a fill needs to start at this pool. */
export type Reach = {
  /** A buy with a bound at or above this has room. */
  readonly buysFrom: Price
  /** A sale with a bound at or below this has room. */
  readonly salesTo: Price
}

/** The pool must be open. Source: at the bound b the pool has √(S·T·b) SOL, docs/amm.md. */
export function computeReach(pool: Pool): Reach {
  const room = leastRoom(pool)
  const product = pool.sol.mul(pool.tokens)
  const [more, less] = [pool.sol.add(room), pool.sol.sub(room)]
  const buysFrom = cutPriceQuotient(more.mul(more), product)
  return {
    buysFrom: buysFrom.mul(product).lt(more.mul(more)) ? buysFrom.add(PRICE_UNIT) : buysFrom,
    salesTo: less.gt(0) ? cutPriceQuotient(less.mul(less), product) : ZERO,
  }
}

const PRICE_UNIT = new Decimal(`1e-${PRICE_DECIMALS}`)

/** Max SOL up to `wanted`, with the fee, that a buy can pay until the spot price reaches `bound`: (S + 0.997 g)² ≤ S·T·b. */
export function solUntil(pool: Pool, bound: Price, wanted: Sol): Sol {
  const limit = pool.sol.mul(pool.tokens).mul(bound)
  const after = pool.sol.add(wanted.mul(KEPT))
  // Most orders fit completely, and squaring takes a fiftieth of a root's time.
  if (after.mul(after).lte(limit)) return wanted
  const fits = limit.sqrt().sub(pool.sol).div(KEPT).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN)
  return Decimal.max(fits, ZERO)
}

/** Max tokens up to `wanted` that a sale can pay until the spot price falls to `bound`: (T + t)² b ≤ S·T. */
export function tokensUntil(pool: Pool, bound: Price, wanted: Tokens): Tokens {
  const limit = pool.sol.mul(pool.tokens)
  const after = pool.tokens.add(wanted)
  if (after.mul(after).mul(bound).lte(limit)) return wanted
  const fits = limit.div(bound).sqrt().sub(pool.tokens).toDecimalPlaces(TOKEN_DECIMALS, Decimal.ROUND_DOWN)
  return Decimal.max(fits, ZERO)
}
