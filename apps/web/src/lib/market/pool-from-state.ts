import { AmmError, cashOutValue, Decimal, type Pool } from '@papermoon/amm'
import type { Token } from '../api/api.ts'

/** A token's pool in the form `@papermoon/amm` takes. */
export function toPool({ pool }: Pick<Token, 'pool'>): Pool {
  const sol = new Decimal(pool.solReserve)
  return { sol, virtualSol: sol.sub(pool.realSol), tokens: new Decimal(pool.tokenReserve) }
}

/** SOL that selling tokens now would pay; null while the pool on screen is older than the position. */
export function computeCashOut(token: Pick<Token, 'pool'>, amount: string): string | null {
  try {
    return cashOutValue(toPool(token), new Decimal(amount)).toFixed()
  } catch (error) {
    if (error instanceof AmmError) return null
    throw error
  }
}
