import { assertOpen, type Pool, realSol } from './pool.ts'
import { ZERO } from './rounding.ts'
import type { Sol } from './units.ts'

/** The real SOL goes to the creator, the virtual SOL vanishes, the tokens stay. Throws PoolClosedError the second time. */
export function rugPool(pool: Pool): { readonly drained: Sol; readonly pool: Pool } {
  assertOpen(pool)
  return { drained: realSol(pool), pool: { sol: ZERO, virtualSol: ZERO, tokens: pool.tokens } }
}
