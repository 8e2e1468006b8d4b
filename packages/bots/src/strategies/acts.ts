import { FEE, HOUR_MS, toGrossOut } from '../market/figures.ts'
import type { BagView, SelfView, TokenView } from '../market/views.ts'
import type { Decision } from '../orders.ts'
import type { Random } from '../random/random.ts'
import type { StrategyView } from './strategy.ts'
import { drawSize } from './temper.ts'

/** Smallest order worth its place in a chart, in SOL. */
export const SIZE_MIN = 0.002
/** Share of the balance that one order may take. */
const BALANCE_SHARE = 0.1
/** A rest below this cash-out value, in SOL, is sold with the last piece. */
const DUST_SOL = 0.004
const QUIET_TRADES = 8
/** SOL traded from which on bots hold more of a token: an assumption. */
const CONVINCING_VOLUME = 500
const CONVICTION_MAX = 5

/** A buy of the token in view, within the bag's and the balance's bounds; null if there is no room. */
export function buyMore({ token, temper }: StrategyView, self: SelfView, random: Random, scale = 1): Decision | null {
  const cost = self.bags.get(token.id)?.cost ?? 0
  const room = temper.bagMax * toConviction(token) - cost
  const sol = Math.min(drawSize(temper, random) * scale, room, self.balance * BALANCE_SHARE)
  return sol < SIZE_MIN ? null : { kind: 'buy', tokenId: token.id, sol }
}

/** How much more than usual a bot holds of a token that is traded a lot: 1 to 5. This is what lets a few tokens run. */
function toConviction({ volume }: TokenView): number {
  return Math.min(CONVICTION_MAX, Math.max(1, Math.sqrt(volume / CONVINCING_VOLUME)))
}

/** A sale of this portion of the bag; of all of it if little would be left. */
export function sellPart(token: TokenView, bag: BagView, portion: number): Decision {
  const rest = toCashOut(token, bag) * (1 - portion)
  return { kind: 'sell', tokenId: token.id, portion: rest < DUST_SOL ? 1 : portion }
}

/** SOL that selling the bag now would pay. */
export function toCashOut(token: TokenView, bag: BagView): number {
  return toGrossOut(token.solReserve, token.tokenReserve, bag.amount) * (1 - FEE)
}

/** Gain of selling the bag now, as a fraction of its cost. */
export function toGain(token: TokenView, bag: BagView): number {
  return bag.cost > 0 ? toCashOut(token, bag) / bag.cost - 1 : 0
}

/** Whether a bag was held for longer than its owner's patience. */
export function isStale({ temper }: StrategyView, bag: BagView, nowMs: number): boolean {
  return nowMs - bag.boughtAtMs > temper.patienceMs
}

/** Whether hardly anybody trades the token any more: fewer than 8 trades within an hour. */
export function isQuiet(token: TokenView, nowMs: number): boolean {
  const sinceMs = token.recentTrade(QUIET_TRADES - 1)?.atMs ?? token.createdAtMs
  return nowMs - sinceMs > HOUR_MS
}

/** How far the last minute's price is above that of the last half hour, as a fraction. */
export function toTrend({ fastPrice, slowPrice }: TokenView): number {
  return fastPrice / slowPrice - 1
}
