import { cashOutValue, type Pool, type Position, realSol } from './pool.ts'
import type { Sol, Tokens } from './units.ts'

/** A player's holding of a token, with the pool's real SOL if the player launched the token. */
export type Stake = {
  readonly pool: Pool
  /** Number of tokens that the player holds. */
  readonly amount: Tokens
  /** Whether the player launched the token and can therefore rug it. */
  readonly isOwn: boolean
}

/**
 * Returns the SOL that a player could take out of one token now: the cash-out value of the tokens, or the pool's real
 * SOL for the player's own token. If the player sold tokens before the rug pull, that would only add a fee. Returns 0
 * for a rugged pool.
 */
export function stakeWorth({ pool, amount, isOwn }: Stake): Sol {
  return isOwn ? realSol(pool) : cashOutValue(pool, amount)
}

/** Returns the balance plus the value of all stakes, in SOL. The sum is exact, because each part has 9 decimals. */
export function netWorth(balance: Sol, stakes: readonly Stake[]): Sol {
  return stakes.reduce((sum, stake) => sum.add(stakeWorth(stake)), balance)
}

/**
 * Returns the profit in SOL that selling the whole position now would give. The profit does not depend on the spot
 * price, because a player's own buys raise that price.
 */
export function unrealizedProfit(pool: Pool, { amount, cost }: Position): Sol {
  return cashOutValue(pool, amount).sub(cost)
}

export type Gain = {
  readonly profit: Sol
  /** The SOL that equals 100 % when the profit is shown as a percentage. */
  readonly base: Sol
}

/** A player's net worth at the start and end of a period, and the SOL granted in between. */
export type WorthSpan = { readonly start: Sol; readonly now: Sol; readonly granted: Sol }

/** Returns the profit over a period, without granted SOL. */
export function gainBetween({ start, now, granted }: WorthSpan): Gain {
  const base = start.add(granted)
  return { profit: now.sub(base), base }
}
