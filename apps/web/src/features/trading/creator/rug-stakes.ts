import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import type { Holder, Token } from '../../../lib/api/api.ts'

/** Max number of holders that the server returns. If the response contains this many holders, there may be more. */
const HOLDERS_TOLD = 20

export interface RugStakes {
  readonly others: number
  /** Whether there may be more other holders than `others` says. */
  readonly isAtLeast: boolean
  /** Exact number of tokens that the other players hold in total. */
  readonly amount: string
  /** Value of these players' tokens at the current price in SOL, rounded down to 9 decimals. */
  readonly value: string
}

/**
 * Computes how much other players would lose if the creator pulled the rug now. The number `own` is the creator's
 * holding.
 */
export function rugStakes(token: Token, holders: readonly Holder[], own: string): RugStakes {
  // The pool and all holdings together are the supply, even if there are more holders than the server returns.
  const amount = Decimal.max(0, new Decimal(token.supply).sub(token.pool.tokenReserve).sub(own))
  const value = amount.mul(token.currentPrice).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN)
  return {
    others: holders.filter(({ userId }) => userId !== token.creator.id).length,
    isAtLeast: holders.length >= HOLDERS_TOLD,
    amount: amount.toFixed(),
    value: value.toFixed(),
  }
}
