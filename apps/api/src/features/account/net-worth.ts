import { cashOutValue, Decimal, type Pool, realSol, type Sol, type Tokens } from '@papermoon/amm'
import type { TokenId } from '../../ids.ts'

/** SOL: who has less may reset. */
export const RESET_BELOW = new Decimal(10)
/** SOL: the net worth after a reset. */
export const RESET_TO = new Decimal(100)

/** An open pool that a player has something in. */
export interface PoolStake {
  readonly tokenId: TokenId
  readonly pool: Pool
  /** Tokens held; 0 where the player only launched it. */
  readonly amount: Tokens
  /** Launched by the player, who may rug it. */
  readonly isOwn: boolean
}

/**
 * What a player could have in SOL: balance, what selling each holding now would pay, and the real SOL in their own open
 * pools. Exact: each part has 9 decimals.
 */
export function netWorthOf(balance: Sol, stakes: readonly PoolStake[]): Sol {
  return stakes.reduce((sum, { pool, amount, isOwn }) => {
    const worth = sum.add(cashOutValue(pool, amount))
    return isOwn ? worth.add(realSol(pool)) : worth
  }, balance)
}
