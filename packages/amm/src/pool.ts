import { SUPPLY, VIRTUAL_SOL } from './constants.ts'
import type { Decimal } from './decimal.ts'
import { PoolClosedError } from './errors.ts'
import { cutPriceQuotient, ZERO } from './rounding.ts'
import type { Price, Sol, Tokens } from './units.ts'

/** The reserves of one token. `sol` is virtual plus real; a rugged pool has `sol` 0. Never changed in place. */
export type Pool = { readonly sol: Sol; readonly virtualSol: Sol; readonly tokens: Tokens }

/** The pool every token starts with: the whole supply beside 30 virtual SOL. */
export function launchPool(): Pool {
  return { sol: VIRTUAL_SOL, virtualSol: VIRTUAL_SOL, tokens: SUPPLY }
}

/** SOL that was really paid in: the liquidity, and all that can ever be paid out. */
export function realSol(pool: Pool): Sol {
  return pool.sol.sub(pool.virtualSol)
}

/** SOL per token at the margin: S / T cut to 18 decimals (down: for display only). 0 for a rugged pool. */
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
export function priceImpactOf(before: Pool, after: Pool): Decimal {
  // From the reserves, not from the two cut prices: those may have lost all their digits.
  const scale = before.sol.mul(after.tokens)
  const impact = cutPriceQuotient(after.sol.mul(before.tokens).sub(scale), scale)
  // A tiny fall is cut to minus zero, whose text would be "-0".
  return impact.isZero() ? ZERO : impact
}
