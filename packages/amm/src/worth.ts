import type { Position } from './cost-basis.ts'
import { type Pool, realSol } from './pool.ts'
import { cashOutValue } from './sell.ts'
import type { Sol, Tokens } from './units.ts'

/** What a player has in one token: a bag of it, and its whole pool where they launched it. */
export type Stake = {
  readonly pool: Pool
  /** Tokens held; 0 for none. */
  readonly amount: Tokens
  /** Launched by the player, who may rug it. */
  readonly isOwn: boolean
}

/**
 * SOL that a player could take out of one token now: the cash-out of the bag, or of their own pool all of its real SOL and
 * nothing beside it. Selling the bag first and rugging the rest pays a fee more, and adding both counts the same SOL
 * twice. 0 for a rugged pool.
 */
export function stakeWorth({ pool, amount, isOwn }: Stake): Sol {
  return isOwn ? realSol(pool) : cashOutValue(pool, amount)
}

/** What a player could have in SOL now. Exact: each part has 9 decimals. */
export function netWorth(balance: Sol, stakes: readonly Stake[]): Sol {
  return stakes.reduce((sum, stake) => sum.add(stakeWorth(stake)), balance)
}

/** SOL won, or lost if negative, by selling the whole position now. Never the mark value: that rises by one's own buys. */
export function unrealizedProfit(pool: Pool, { amount, cost }: Position): Sol {
  return cashOutValue(pool, amount).sub(cost)
}

/** What a span of time brought. */
export type Gain = {
  readonly profit: Sol
  /** SOL that `profit` is a percentage of: all there was to win or lose with. */
  readonly base: Sol
}

/** A net worth at both ends of a span of time, and the SOL that the player was granted in between. */
export type WorthSpan = { readonly start: Sol; readonly now: Sol; readonly granted: Sol }

/** What a player won or lost in a span: SOL that was granted is neither. */
export function gainBetween({ start, now, granted }: WorthSpan): Gain {
  const base = start.add(granted)
  return { profit: now.sub(base), base }
}
