import { SUPPLY, VIRTUAL_SOL } from './constants.ts'
import { PoolClosedError } from './errors.ts'
import type { Sol, Tokens } from './units.ts'

/** A token's reserves. `sol` is the virtual plus the real SOL, and 0 after a rug pull. Immutable. */
export type Pool = { readonly sol: Sol; readonly virtualSol: Sol; readonly tokens: Tokens }

/** Returns every token's initial pool: the whole supply and 30 virtual SOL. */
export function launchPool(): Pool {
  return { sol: VIRTUAL_SOL, virtualSol: VIRTUAL_SOL, tokens: SUPPLY }
}

/** Returns the pool's liquidity: the SOL that traders paid in, which is the most that the pool can pay out. */
export function realSol(pool: Pool): Sol {
  return pool.sol.sub(pool.virtualSol)
}

/** Throws PoolClosedError for a rugged pool. */
export function assertOpen(pool: Pool): void {
  if (pool.sol.isZero()) throw new PoolClosedError()
}
