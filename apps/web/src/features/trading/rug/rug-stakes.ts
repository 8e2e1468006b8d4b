import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import type { Holder, Token } from '../../../lib/api/api.ts'

/** Max holders that the server returns; with this many there may be more. */
const HOLDERS_TOLD = 20

export interface RugStakes {
  readonly others: number
  /** True if there may be more than `others`. */
  readonly isAtLeast: boolean
  /** Tokens they hold in total, exact. */
  readonly amount: string
  /** Mark value in SOL, rounded down to 9 decimals. */
  readonly value: string
}

/** Computes the losses of players other than the creator, who holds `own` tokens, in a rug pull now. */
export function rugStakes(token: Token, holders: readonly Holder[], own: string): RugStakes {
  // Pool plus all holdings equals the supply, also with more holders than the server returns.
  const amount = Decimal.max(0, new Decimal(token.supply).sub(token.pool.tokenReserve).sub(own))
  const value = amount.mul(token.currentPrice).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN)
  return {
    others: holders.filter(({ userId }) => userId !== token.creator.id).length,
    isAtLeast: holders.length >= HOLDERS_TOLD,
    amount: amount.toFixed(),
    value: value.toFixed(),
  }
}
