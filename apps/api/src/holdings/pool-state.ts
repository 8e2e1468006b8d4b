import { type Pool, realSol, solText, tokensText } from '@papermoon/amm'
import type { PoolState } from '@papermoon/engine'

/** A pool's reserves as the wire has them. */
export function toPoolState(pool: Pool): PoolState {
  return { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: solText(realSol(pool)) }
}
