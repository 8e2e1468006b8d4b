import { AmountTooLargeError, InsufficientTokensError } from './errors.ts'
import { floorSolQuotient } from './rounding.ts'
import { assertAmount, SOL_MAX, type Sol, TOKEN_DECIMALS, TOKENS_MAX, type Tokens } from './units.ts'

/** A player's tokens and their total cost in SOL including fees, by the average cost method. Immutable. */
export type Position = { readonly amount: Tokens; readonly cost: Sol }

export type PositionSale = {
  readonly position: Position
  /** Cost of the tokens sold, in SOL. */
  readonly costRemoved: Sol
  /** `solOut − costRemoved` in SOL; negative for a loss. */
  readonly realizedPnl: Sol
}

/** Returns the position after buying `tokensOut` for `solIn` SOL, including the fee. Throws AmountTooLargeError. */
export function positionAfterBuy(position: Position, tokensOut: Tokens, solIn: Sol): Position {
  const amount = position.amount.add(tokensOut)
  const cost = position.cost.add(solIn)
  if (amount.gt(TOKENS_MAX) || cost.gt(SOL_MAX)) throw new AmountTooLargeError()
  return { amount, cost }
}

/**
 * Returns the position after selling `tokensIn` at average cost for `solOut` SOL, after the fee. Throws
 * NotPositiveError, or InsufficientTokensError if the player holds fewer tokens.
 */
export function positionAfterSell(position: Position, tokensIn: Tokens, solOut: Sol): PositionSale {
  assertAmount(tokensIn, TOKEN_DECIMALS, TOKENS_MAX)
  if (tokensIn.gt(position.amount)) throw new InsufficientTokensError()
  // Round down, so that the remainder of the cost stays with the remaining tokens. Selling the last token removes all
  // cost.
  const costRemoved = floorSolQuotient(position.cost.mul(tokensIn), position.amount)
  return {
    position: { amount: position.amount.sub(tokensIn), cost: position.cost.sub(costRemoved) },
    costRemoved,
    realizedPnl: solOut.sub(costRemoved),
  }
}
