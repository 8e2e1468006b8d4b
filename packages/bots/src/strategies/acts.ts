import { FEE, HOUR_MS, toGrossOut } from '../market/figures.ts'
import type { BagView, SelfView, TokenView } from '../market/views.ts'
import type { Decision } from '../orders.ts'
import type { Random } from '../random/random.ts'
import type { StrategyView } from './strategy.ts'
import { drawSize } from './temper.ts'

export const SIZE_MIN = 0.002
/** Max part of the balance that one order can spend. */
const BALANCE_SHARE = 0.1
/** Max cash-out value in SOL of a remainder that the bot sells together with the last part. */
const DUST_SOL = 0.004
const QUIET_TRADES = 8
/** Assumed volume in SOL above which bots hold more of a token. */
const CONVINCING_VOLUME = 500
const CONVICTION_MAX = 5

/**
 * Returns a buy of the viewed token, limited by the bot's max holding and balance, or null if the bot cannot buy more.
 */
export function buyMore({ token, temper }: StrategyView, self: SelfView, random: Random, scale = 1): Decision | null {
  const cost = self.bags.get(token.id)?.cost ?? 0
  const room = temper.bagMax * toConviction(token) - cost
  const max = Math.min(self.balance * BALANCE_SHARE, token.solReserve * temper.poolShareMax)
  const sol = Math.min(drawSize(temper, random) * scale, room, max)
  return sol < SIZE_MIN ? null : { kind: 'buy', tokenId: token.id, sol }
}

/**
 * Returns a factor from 1 to 5 for a frequently traded token. A bot holds this many times its usual amount, so that a
 * few tokens rise far.
 */
function toConviction({ volume }: TokenView): number {
  return Math.min(CONVICTION_MAX, Math.max(1, Math.sqrt(volume / CONVINCING_VOLUME)))
}

/**
 * Returns a sale of this portion of the holding, limited by the bot's part of the pool. A small remainder is sold
 * together with this portion.
 */
export function sellPart({ token, temper }: StrategyView, bag: BagView, portion: number): Decision {
  const sold = Math.min(portion, (token.tokenReserve * temper.poolShareMax) / bag.amount)
  const rest = toCashOut(token, bag) * (1 - sold)
  return { kind: 'sell', tokenId: token.id, portion: rest < DUST_SOL ? 1 : sold }
}

/** Returns the SOL that the bot would get for selling the holding now. */
export function toCashOut(token: TokenView, bag: BagView): number {
  return toGrossOut(token.solReserve, token.tokenReserve, bag.amount) * (1 - FEE)
}

/** Returns the gain from selling the holding now, as a fraction of its cost. */
export function toGain(token: TokenView, bag: BagView): number {
  return bag.cost > 0 ? toCashOut(token, bag) / bag.cost - 1 : 0
}

/** Returns whether a holding is older than its owner's patience. */
export function isStale({ temper }: StrategyView, bag: BagView, nowMs: number): boolean {
  return nowMs - bag.boughtAtMs > temper.patienceMs
}

/** Returns whether the token is hardly traded: fewer than 8 trades within an hour. */
export function isQuiet(token: TokenView, nowMs: number): boolean {
  const sinceMs = token.recentTrade(QUIET_TRADES - 1)?.atMs ?? token.createdAtMs
  return nowMs - sinceMs > HOUR_MS
}

/** Returns how far the mean price of the last minute is above that of the last half hour, as a fraction. */
export function toTrend({ fastPrice, slowPrice }: TokenView): number {
  return fastPrice / slowPrice - 1
}
