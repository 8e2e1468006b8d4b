import { SUPPLY } from './constants.ts'
import type { Decimal } from './decimal.ts'
import type { Pool } from './pool.ts'
import { cutPriceQuotient, ZERO } from './rounding.ts'
import type { Price } from './units.ts'

/**
 * Returns the spot price in SOL per token, S / T truncated to 18 decimals, for display. Returns 0 for a rugged pool.
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

/** Computes the relative change of the spot price for display: `after / before − 1`, truncated to 18 decimals. */
export function computePriceImpact(before: Pool, after: Pool): Decimal {
  // Compute with the reserves, because truncated prices may have lost all significant digits.
  const scale = before.sol.mul(after.tokens)
  const impact = cutPriceQuotient(after.sol.mul(before.tokens).sub(scale), scale)
  // A tiny fall is truncated to minus zero, which would print as "-0".
  return impact.isZero() ? ZERO : impact
}
