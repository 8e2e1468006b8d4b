import { SUPPLY, VIRTUAL_SOL } from './constants.ts'
import type { Decimal } from './decimal.ts'
import { PoolClosedError } from './errors.ts'
import { cutPriceQuotient, ZERO } from './rounding.ts'
import type { Price, Sol, Tokens } from './units.ts'

/** The reserves of one token. `sol` is virtual plus real SOL, and 0 after a rug pull. Immutable. */
export type Pool = { readonly sol: Sol; readonly virtualSol: Sol; readonly tokens: Tokens }

/** The initial pool of every token: the whole supply and 30 virtual SOL. */
export function launchPool(): Pool {
  return { sol: VIRTUAL_SOL, virtualSol: VIRTUAL_SOL, tokens: SUPPLY }
}

/** SOL that traders paid in: the liquidity, and the most that can be paid out. */
export function realSol(pool: Pool): Sol {
  return pool.sol.sub(pool.virtualSol)
}

/** Marginal price in SOL per token: S / T cut to 18 decimals (for display only). 0 for a rugged pool. */
export function spotPrice(pool: Pool): Price {
  return pool.sol.isZero() ? ZERO : cutPriceQuotient(pool.sol, pool.tokens)
}

/** Spot price × supply, in SOL. */
export function marketCap(pool: Pool): Decimal {
  return computeMarketCap(spotPrice(pool))
}

/** `price` × supply, in SOL. */
export function computeMarketCap(price: Price): Decimal {
  return price.mul(SUPPLY)
}

/** Throws PoolClosedError for a rugged pool. */
export function assertOpen(pool: Pool): void {
  if (pool.sol.isZero()) throw new PoolClosedError()
}

/** Relative change of the spot price, `after / before − 1`, cut toward zero to 18 decimals: for display only. */
export function computePriceImpact(before: Pool, after: Pool): Decimal {
  // From the reserves instead of the two cut prices, which may have lost all significant digits.
  const scale = before.sol.mul(after.tokens)
  const impact = cutPriceQuotient(after.sol.mul(before.tokens).sub(scale), scale)
  // A tiny fall is cut to minus zero, which would print as "-0".
  return impact.isZero() ? ZERO : impact
}
