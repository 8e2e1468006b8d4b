import { FEE_RATE, SUPPLY, VIRTUAL_SOL } from './constants.ts'
import type { Decimal } from './decimal.ts'
import { PoolClosedError } from './errors.ts'
import { ceilSol, cutPriceQuotient, type Price, type Sol, type Tokens, ZERO } from './units.ts'

/** A token's reserves. `sol` is the virtual plus the real SOL. It is 0 after a rug pull. Immutable. */
export type Pool = { readonly sol: Sol; readonly virtualSol: Sol; readonly tokens: Tokens }

/** Returns the pool with which every token starts: the whole supply and 30 virtual SOL. */
export function launchPool(): Pool {
  return { sol: VIRTUAL_SOL, virtualSol: VIRTUAL_SOL, tokens: SUPPLY }
}

/** Returns the pool's liquidity: the SOL that traders paid in. The pool can pay out no more than this. */
export function realSol(pool: Pool): Sol {
  return pool.sol.sub(pool.virtualSol)
}

/** Throws PoolClosedError for a rugged pool. */
export function assertOpen(pool: Pool): void {
  if (pool.sol.isZero()) throw new PoolClosedError()
}

/**
 * Returns the spot price in SOL per token for display: S / T, truncated to 18 decimals. Returns 0 for a rugged pool.
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
 * Computes the relative change of the spot price for display. The formula is `after / before − 1`, truncated to 18
 * decimals.
 */
export function computePriceImpact(before: Pool, after: Pool): Decimal {
  // Compute with the reserves, because truncated prices may have no significant digits left.
  const scale = before.sol.mul(after.tokens)
  const impact = cutPriceQuotient(after.sol.mul(before.tokens).sub(scale), scale)
  // Return 0 instead of minus zero, which would print as "-0". A tiny fall is truncated to minus zero.
  return impact.isZero() ? ZERO : impact
}

/** Computes the fee for a trade's SOL, rounded up to a lamport. */
export function computeFee(sol: Sol): Sol {
  return ceilSol(sol.mul(FEE_RATE))
}

/**
 * Pays the real SOL to the creator and removes the virtual SOL. The tokens stay in the pool. Throws PoolClosedError if
 * the pool is already closed.
 */
export function rugPool(pool: Pool): { readonly drained: Sol; readonly pool: Pool } {
  assertOpen(pool)
  return { drained: realSol(pool), pool: { sol: ZERO, virtualSol: ZERO, tokens: pool.tokens } }
}
