import type { Position } from './cost-basis.ts'
import { type Pool, realSol } from './pool.ts'
import { cashOutValue } from './sell.ts'
import type { Sol, Tokens } from './units.ts'

/** A player's stake in one token: tokens held, and the pool's real SOL if they launched it. */
export type Stake = {
  readonly pool: Pool
  /** Tokens held; 0 for none. */
  readonly amount: Tokens
  /** Launched by the player, who may rug it. */
  readonly isOwn: boolean
}

/**
 * SOL that a player could take out of one token now: the cash-out value of the tokens, or for their own token the real SOL
 * of its pool. Selling first and then rugging would only add a fee, and adding both would count the same SOL twice. 0 for a
 * rugged pool.
 */
export function stakeWorth({ pool, amount, isOwn }: Stake): Sol {
  return isOwn ? realSol(pool) : cashOutValue(pool, amount)
}

/** Balance plus the worth of all stakes, in SOL. Exact: each part has 9 decimals. */
export function netWorth(balance: Sol, stakes: readonly Stake[]): Sol {
  return stakes.reduce((sum, stake) => sum.add(stakeWorth(stake)), balance)
}

/** Profit in SOL from selling the whole position now. Not the mark value, which a player's own buys raise. */
export function unrealizedProfit(pool: Pool, { amount, cost }: Position): Sol {
  return cashOutValue(pool, amount).sub(cost)
}

export type Gain = {
  readonly profit: Sol
  /** SOL that `profit` is a percentage of. */
  readonly base: Sol
}

/** Net worth at both ends of a period, and the SOL granted in between. */
export type WorthSpan = { readonly start: Sol; readonly now: Sol; readonly granted: Sol }

/** Profit over a period; granted SOL does not count as profit. */
export function gainBetween({ start, now, granted }: WorthSpan): Gain {
  const base = start.add(granted)
  return { profit: now.sub(base), base }
}
