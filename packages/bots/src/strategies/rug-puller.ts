import { DAY_MS, HOUR_MS, LAUNCH_SOL } from '../market/figures.ts'
import { isLiquiditySealed } from '../market/seal.ts'
import type { SelfView, TokenView } from '../market/views.ts'
import type { Random } from '../random/random.ts'
import { paperHands } from './paper-hands.ts'
import type { Strategy, StrategyView } from './strategy.ts'

/** Min real SOL in the pool for a rug pull. */
const REAL_SOL_MIN = 0.5
/** Max age in ms of a token that the bot rugs. */
const AGE_MAX_MS = 2 * DAY_MS
const RUG_CHANCE = 0.001
/** Chance of a rug pull after the bot has waited for a seal to end. */
const RUG_CHANCE_AFTER_SEAL = 0.05

/** Trades like other bots, and sometimes rugs a token that it launched. */
export const rugPuller: Strategy = (view, self, random, nowMs) => {
  const token = findRuggable(view, self, nowMs)
  if (token !== undefined && wantsToRug(token, random)) return { kind: 'rug', tokenId: token.id }
  return paperHands(view, self, random, nowMs)
}

/**
 * Time on a rug night in which the bot does not rug its own token, in ms. About two thirds of the tokens that are
 * traded for ten to twenty minutes are rugged.
 */
const NIGHT_PATIENCE_MS = HOUR_MS / 2
const RUG_CHANCE_AT_NIGHT = 0.01

/** Returns the bot's strategy for a rug night, in which any bot may rug its own token. */
export function toRugNight(strategy: Strategy): Strategy {
  return (view, self, random, nowMs) => {
    const temper = { ...view.temper, patienceMs: NIGHT_PATIENCE_MS }
    const token = findRuggable({ ...view, temper }, self, nowMs)
    if (token !== undefined && random.chance(RUG_CHANCE_AT_NIGHT)) return { kind: 'rug', tokenId: token.id }
    return strategy(view, self, random, nowMs)
  }
}

/** Returns the first of the bot's tokens that it can rug: old enough, not sealed, and with enough SOL in the pool. */
function findRuggable({ market, temper }: StrategyView, self: SelfView, nowMs: number): TokenView | undefined {
  for (const tokenId of self.createdTokens) {
    const token = market.findToken(tokenId)
    if (token === undefined || token.isRugged || isLiquiditySealed(token.seal, nowMs)) continue
    const ageMs = nowMs - token.createdAtMs
    const isDue = ageMs > temper.patienceMs || wasSealed(token)
    if (isDue && ageMs < AGE_MAX_MS && token.solReserve - LAUNCH_SOL > REAL_SOL_MIN) return token
  }
  return undefined
}

/** Returns whether to rug now. A rug pull is more likely if the price has fallen far from its top. */
function wantsToRug(token: TokenView, random: Random): boolean {
  if (wasSealed(token)) return random.chance(RUG_CHANCE_AFTER_SEAL)
  return random.chance(RUG_CHANCE * (token.price < token.topPrice * 0.7 ? 3 : 1))
}

const wasSealed = ({ seal }: TokenView) => seal.liquidityUntilMs > 0
