import { assertOpen, type Pool, realSol } from './pool.ts'
import { ZERO } from './rounding.ts'
import type { Sol } from './units.ts'

/**
 * Pays the real SOL to the creator and removes the virtual SOL; the tokens stay in the pool. Throws PoolClosedError if
 * the pool is already closed.
 */
export function rugPool(pool: Pool): { readonly drained: Sol; readonly pool: Pool } {
  assertOpen(pool)
  return { drained: realSol(pool), pool: { sol: ZERO, virtualSol: ZERO, tokens: pool.tokens } }
}
