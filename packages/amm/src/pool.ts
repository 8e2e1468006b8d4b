import { SUPPLY, VIRTUAL_SOL } from './constants.ts'
import { PoolClosedError } from './errors.ts'
import type { Sol, Tokens } from './units.ts'

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

/** Throws PoolClosedError for a rugged pool. */
export function assertOpen(pool: Pool): void {
  if (pool.sol.isZero()) throw new PoolClosedError()
}
