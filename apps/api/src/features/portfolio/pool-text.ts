import { type Pool, realSol, solText, tokensText } from '@papermoon/amm'
import type { PortfolioEntry } from './schemas.ts'

/** A pool's reserves as the wire has them. */
export function poolText(pool: Pool): PortfolioEntry['pool'] {
  return { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: solText(realSol(pool)) }
}
