import { AmmError, cashOutValue, Decimal, type Pool } from '@papermoon/amm'
import type { Token } from '../api/api.ts'

/** Converts a token's pool to the form that `@papermoon/amm` takes. */
export function toPool({ pool }: Pick<Token, 'pool'>): Pool {
  const sol = new Decimal(pool.solReserve)
  return { sol, virtualSol: sol.sub(pool.realSol), tokens: new Decimal(pool.tokenReserve) }
}

/**
 * Returns how much SOL selling the tokens now would pay. Returns null while the pool on screen is older than the
 * position.
 */
export function computeCashOut(token: Pick<Token, 'pool'>, amount: string): string | null {
  try {
    return cashOutValue(toPool(token), new Decimal(amount)).toFixed()
  } catch (error) {
    if (error instanceof AmmError) return null
    throw error
  }
}
