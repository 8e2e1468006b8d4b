import { Decimal, type Pool } from '@papermoon/amm'
import type { Token } from '../api/api.ts'

/** A token's pool in the form `@papermoon/amm` takes. */
export function toPool({ pool }: Pick<Token, 'pool'>): Pool {
  const sol = new Decimal(pool.solReserve)
  return { sol, virtualSol: sol.sub(pool.realSol), tokens: new Decimal(pool.tokenReserve) }
}
