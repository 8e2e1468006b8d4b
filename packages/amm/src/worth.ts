import { KEPT, SUPPLY } from './constants.ts'
import { cashOutValue, type Pool, type Position, realSol } from './pool.ts'
import { cutPriceQuotient, floorSolQuotient, type Price, type Sol, type Tokens, ZERO } from './units.ts'

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

/**
 * Returns the part of the pool's real SOL that belongs to `amount` tokens if all players sold together without a fee:
 * real SOL × amount / tokens of all players, rounded down to a lamport. Returns 0 if nobody holds tokens. A player's
 * score in a fair counts the tokens so.
 */
export function poolShare(pool: Pool, amount: Tokens): Sol {
  return amount.isZero() ? ZERO : floorSolQuotient(realSol(pool).mul(amount), SUPPLY.sub(pool.tokens))
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

/**
 * Returns the break-even price: the spot price at which selling the whole position in one sale would pay exactly its
 * cost, after the fee. Returns 0 for an empty or free position and for a rugged pool.
 *
 * Trades move the pool along S·T = k, and only fees and rounding leave it, so k stays the same. At T tokens in the
 * pool, a sale of a tokens pays k·a / (T·(T + a)) · (1 − f). If it pays the cost c, then T² + a·T = q with
 * q = k·a·(1 − f) / c. The positive root is T = (√(a² + 4q) − a) / 2 = 2q / (√(a² + 4q) + a), and the second form does
 * not lose digits if a is large. The spot price there is S / T = k / T².
 */
export function breakEvenPrice(pool: Pool, { amount, cost }: Position): Price {
  if (pool.sol.isZero() || amount.isZero() || cost.isZero()) return ZERO
  const product = pool.sol.mul(pool.tokens)
  const q = product.mul(amount).mul(KEPT).div(cost)
  const tokens = q.mul(2).div(amount.mul(amount).add(q.mul(4)).sqrt().add(amount))
  return cutPriceQuotient(product, tokens.mul(tokens))
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
