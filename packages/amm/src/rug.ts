import { assertOpen, type Pool, realSol } from './pool.ts'
import { ZERO } from './rounding.ts'
import type { Sol } from './units.ts'

/** Drains the real SOL to the creator and removes the virtual SOL; tokens stay. Throws PoolClosedError if already closed. */
export function rugPool(pool: Pool): { readonly drained: Sol; readonly pool: Pool } {
  assertOpen(pool)
  return { drained: realSol(pool), pool: { sol: ZERO, virtualSol: ZERO, tokens: pool.tokens } }
}
