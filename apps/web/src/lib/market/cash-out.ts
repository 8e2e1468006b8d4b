import { AmmError, cashOutValue, Decimal, readPool } from '@papermoon/amm'
import type { Token } from '../api/api.ts'

/**
 * Returns how much SOL a sale of the tokens would pay now. Returns null if the holding on the screen is newer than the
 * pool.
 */
export function computeCashOut({ pool }: Pick<Token, 'pool'>, amount: string): string | null {
  try {
    return cashOutValue(readPool(pool), new Decimal(amount)).toFixed()
  } catch (error) {
    if (error instanceof AmmError) return null
    throw error
  }
}
