import { FEE_RATE } from './constants.ts'
import { Decimal } from './decimal.ts'
import type { Pool } from './pool.ts'
import { spotPrice } from './price.ts'
import { ceilSol, cutPriceQuotient, ZERO } from './rounding.ts'
import { PRICE_DECIMALS, type Price, SOL_DECIMALS, type Sol, TOKEN_DECIMALS, type Tokens } from './units.ts'

/** What is left of an amount after the fee, as a fraction. */
const KEPT = new Decimal(1).sub(FEE_RATE)

/** The least SOL of a fill, and of what an order may wait on with. */
export const FILL_MIN: Sol = new Decimal('0.001')

/** What part of its price a stop sells at least at, unless its player says otherwise. */
export const LEAST_SHARE: Decimal = new Decimal('0.9')

/** What rounding may take of a fill of `FILL_MIN`, twice: a lamport, and a millionth of a token, as fractions of it. */
const LAMPORT_LOSS = new Decimal('2e-6')
const MICRO_LOSS = new Decimal('2e-3')

/** The spot price up to which a buy with this limit may go. The fee is in the limit, so no token of it costs more. */
export function buyBound(price: Price): Price {
  return price.mul(KEPT).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_DOWN)
}

/** The spot price down to which a sale with this limit may go. The fee is in the limit, so no token of it brings less. */
export function saleBound(price: Price): Price {
  return price.div(KEPT).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_UP)
}

/** A fill needs room for this much SOL between the spot price and its bound, so that rounding cannot spoil its average. */
function leastRoom(pool: Pool): Sol {
  return Decimal.max(FILL_MIN, ceilSol(pool.sol.mul(spotPrice(pool).mul(MICRO_LOSS).add(LAMPORT_LOSS))))
}

/** The bounds that a fill can start from at this pool. */
export type Reach = {
  /** A buy with a bound of this or more has room. */
  readonly buysFrom: Price
  /** A sale with a bound of this or less has room. */
  readonly salesTo: Price
}

/** Source: at the bound b the pool has √(S·T·b) SOL, docs/amm.md. The pool is open. */
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

/** The most SOL up to `wanted`, fee included, that a buy may pay until the spot price reaches `bound`: (S + 0.997 g)² ≤ S·T·b. */
export function solUntil(pool: Pool, bound: Price, wanted: Sol): Sol {
  const limit = pool.sol.mul(pool.tokens).mul(bound)
  const after = pool.sol.add(wanted.mul(KEPT))
  // Squaring takes a fiftieth of the time of a root, and most orders fit whole.
  if (after.mul(after).lte(limit)) return wanted
  const fits = limit.sqrt().sub(pool.sol).div(KEPT).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN)
  return Decimal.max(fits, ZERO)
}

/** The most tokens up to `wanted` that a sale may pay until the spot price falls to `bound`: (T + t)² b ≤ S·T. */
export function tokensUntil(pool: Pool, bound: Price, wanted: Tokens): Tokens {
  const limit = pool.sol.mul(pool.tokens)
  const after = pool.tokens.add(wanted)
  if (after.mul(after).mul(bound).lte(limit)) return wanted
  const fits = limit.div(bound).sqrt().sub(pool.tokens).toDecimalPlaces(TOKEN_DECIMALS, Decimal.ROUND_DOWN)
  return Decimal.max(fits, ZERO)
}
