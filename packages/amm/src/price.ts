import { SUPPLY } from './constants.ts'
import type { Decimal } from './decimal.ts'
import type { Pool } from './pool.ts'
import { cutPriceQuotient, ZERO } from './rounding.ts'
import type { Price } from './units.ts'

/**
 * Returns the marginal price in SOL per token: S / T truncated to 18 decimals, for display only. 0 for a rugged pool.
 */
export function spotPrice(pool: Pool): Price {
  return pool.sol.isZero() ? ZERO : cutPriceQuotient(pool.sol, pool.tokens)
}

/** Returns the market cap in SOL: spot price × supply. */
export function marketCap(pool: Pool): Decimal {
  return computeMarketCap(spotPrice(pool))
}

/** Returns the market cap in SOL: `price` × supply. */
export function computeMarketCap(price: Price): Decimal {
  return price.mul(SUPPLY)
}

/**
 * Computes the relative change of the spot price, `after / before − 1`, truncated toward zero to 18 decimals, for
 * display only.
 */
export function computePriceImpact(before: Pool, after: Pool): Decimal {
  // Use the reserves instead of the two truncated prices, which may have lost all significant digits.
  const scale = before.sol.mul(after.tokens)
  const impact = cutPriceQuotient(after.sol.mul(before.tokens).sub(scale), scale)
  // A tiny fall is truncated to minus zero, which would print as "-0".
  return impact.isZero() ? ZERO : impact
}
