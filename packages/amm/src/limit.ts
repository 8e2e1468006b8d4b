import { KEPT } from './constants.ts'
import { type Pool, spotPrice } from './pool.ts'
import {
  ceilSol,
  cutPriceQuotient,
  Decimal,
  PRICE_DECIMALS,
  type Price,
  SOL_DECIMALS,
  type Sol,
  TOKEN_DECIMALS,
  type Tokens,
  ZERO,
} from './units.ts'

/** Min SOL of a fill. This is also the min SOL that must remain in an open order. */
export const FILL_MIN: Sol = new Decimal('0.001')

/** Default minimum price of a stop order, as a part of its trigger price. */
export const LEAST_SHARE: Decimal = new Decimal('0.9')

/**
 * Max rounding loss in a fill of `FILL_MIN`, as a fraction, times two. The value includes rounding to a lamport and to
 * a millionth of a token.
 */
const LAMPORT_LOSS = new Decimal('2e-6')
const MICRO_LOSS = new Decimal('2e-3')

/**
 * Returns the max spot price for a buy with this limit price. The limit includes the fee, so no token costs more than
 * the limit.
 */
export function buyBound(price: Price): Price {
  return price.mul(KEPT).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_DOWN)
}

/**
 * Returns the min spot price for a sale with this limit price. The limit includes the fee, so no token sells for less
 * than the limit.
 */
export function saleBound(price: Price): Price {
  return price.div(KEPT).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_UP)
}

/**
 * Returns the min distance, in SOL, between the spot price and the bound of a fill. With this distance, rounding cannot
 * push the average price past the limit.
 */
function leastRoom(pool: Pool): Sol {
  return Decimal.max(FILL_MIN, ceilSol(pool.sol.mul(spotPrice(pool).mul(MICRO_LOSS).add(LAMPORT_LOSS))))
}

/** The spot price bounds that orders need to fill in this pool. */
export type Reach = {
  /** Buys with a bound at or above this price can fill. */
  readonly buysFrom: Price
  /** Sales with a bound at or below this price can fill. */
  readonly salesTo: Price
}

/** Computes which orders can fill in an open pool. At the bound b the pool has √(S·T·b) SOL, see docs/amm.md. */
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

/**
 * Returns how much SOL, up to `wanted` and including the fee, a buy can spend before the spot price exceeds `bound`: (S
 * + 0.997 g)² ≤ S·T·b.
 */
export function solUntil(pool: Pool, bound: Price, wanted: Sol): Sol {
  const limit = pool.sol.mul(pool.tokens).mul(bound)
  const after = pool.sol.add(wanted.mul(KEPT))
  // First check whether the whole order fits, because most orders fit. Squaring is 50 times faster than a square root.
  if (after.mul(after).lte(limit)) return wanted
  const fits = limit.sqrt().sub(pool.sol).div(KEPT).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN)
  return Decimal.max(fits, ZERO)
}

/**
 * Returns how many tokens, up to `wanted`, a player can sell before the spot price falls below `bound`: (T + t)² b ≤
 * S·T.
 */
export function tokensUntil(pool: Pool, bound: Price, wanted: Tokens): Tokens {
  const limit = pool.sol.mul(pool.tokens)
  const after = pool.tokens.add(wanted)
  if (after.mul(after).mul(bound).lte(limit)) return wanted
  const fits = limit.div(bound).sqrt().sub(pool.tokens).toDecimalPlaces(TOKEN_DECIMALS, Decimal.ROUND_DOWN)
  return Decimal.max(fits, ZERO)
}
