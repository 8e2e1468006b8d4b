import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import type { Holder, Token } from '../../../lib/api/api.ts'

/** As many holders as the server tells of: with so many there may be more. */
const HOLDERS_TOLD = 20

/** What a rug pull takes from those who hold the token. */
export interface RugStakes {
  /** Players but the creator who hold it. */
  readonly others: number
  /** There may be more than `others`. */
  readonly isAtLeast: boolean
  /** Tokens that they hold together, exact. */
  readonly amount: string
  /** SOL: their mark value, cut to 9 decimals. */
  readonly value: string
}

/** What others than the creator, who holds `own` tokens, would lose of a token as it stands. */
export function rugStakes(token: Token, holders: readonly Holder[], own: string): RugStakes {
  // The pool and all holdings together are the supply, however many holders there are.
  const amount = Decimal.max(0, new Decimal(token.supply).sub(token.pool.tokenReserve).sub(own))
  const value = amount.mul(token.currentPrice).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN)
  return {
    others: holders.filter(({ userId }) => userId !== token.creator.id).length,
    isAtLeast: holders.length >= HOLDERS_TOLD,
    amount: amount.toFixed(),
    value: value.toFixed(),
  }
}
