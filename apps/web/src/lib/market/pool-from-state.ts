import { AmmError, cashOutValue, Decimal, type Pool } from '@papermoon/amm'
import type { Token } from '../api/api.ts'

/** Converts a token's pool to the input of `@papermoon/amm`. */
export function toPool({ pool }: Pick<Token, 'pool'>): Pool {
  const sol = new Decimal(pool.solReserve)
  return { sol, virtualSol: sol.sub(pool.realSol), tokens: new Decimal(pool.tokenReserve) }
}

/**
 * Returns how much SOL a sale of the tokens would pay now. Returns null if the holding on the screen is newer than the
 * pool.
 */
export function computeCashOut(token: Pick<Token, 'pool'>, amount: string): string | null {
  try {
    return cashOutValue(toPool(token), new Decimal(amount)).toFixed()
  } catch (error) {
    if (error instanceof AmmError) return null
    throw error
  }
}
