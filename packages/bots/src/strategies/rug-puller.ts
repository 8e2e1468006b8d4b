import { DAY_MS, HOUR_MS, LAUNCH_SOL } from '../market/figures.ts'
import { isLiquiditySealed } from '../market/seal.ts'
import type { SelfView, TokenView } from '../market/views.ts'
import type { Random } from '../random/random.ts'
import { paperHands } from './paper-hands.ts'
import type { Strategy, StrategyView } from './strategy.ts'

/** Min real SOL that makes a rug worth the bad reputation. */
const LOOT_SOL = 0.5
/** Age in ms above which the bot spares a token, because by then the token is a hobby. */
const OLD_MS = 2 * DAY_MS
const TEMPTATION = 0.001
/** Chance of a rug after waiting for a seal to end. */
const TEMPTATION_UNSEALED = 0.05

/** Trades like all other bots, and now and then drains a token that it launched. */
export const rugPuller: Strategy = (view, self, random, nowMs) => {
  const ripe = findRipe(view, self, nowMs)
  if (ripe !== undefined && isTempted(ripe, random)) return { kind: 'rug', tokenId: ripe.id }
  return paperHands(view, self, random, nowMs)
}

/**
 * On a rug night, how long the bot spares its own token, in ms. About two thirds of the tokens that are traded for ten
 * to twenty minutes get rugged.
 */
const NIGHT_PATIENCE_MS = HOUR_MS / 2
const TEMPTATION_AT_NIGHT = 0.01

/** Returns the bot's strategy for a rug night, on which any bot may drain its own token. */
export function toRugNight(strategy: Strategy): Strategy {
  return (view, self, random, nowMs) => {
    const temper = { ...view.temper, patienceMs: NIGHT_PATIENCE_MS }
    const ripe = findRipe({ ...view, temper }, self, nowMs)
    if (ripe !== undefined && random.chance(TEMPTATION_AT_NIGHT)) return { kind: 'rug', tokenId: ripe.id }
    return strategy(view, self, random, nowMs)
  }
}

/**
 * Returns the first of the bot's tokens that has outlived the bot's patience or its seal and has enough SOL in the
 * pool.
 */
function findRipe({ market, temper }: StrategyView, self: SelfView, nowMs: number): TokenView | undefined {
  for (const tokenId of self.createdTokens) {
    const token = market.findToken(tokenId)
    if (token === undefined || token.isRugged || isLiquiditySealed(token.seal, nowMs)) continue
    const ageMs = nowMs - token.createdAtMs
    const isDue = ageMs > temper.patienceMs || wasSealed(token)
    if (isDue && ageMs < OLD_MS && token.solReserve - LAUNCH_SOL > LOOT_SOL) return token
  }
  return undefined
}

/** Returns whether to rug now. The chance is higher if the price has fallen far from its top. */
function isTempted(token: TokenView, random: Random): boolean {
  if (wasSealed(token)) return random.chance(TEMPTATION_UNSEALED)
  return random.chance(TEMPTATION * (token.price < token.topPrice * 0.7 ? 3 : 1))
}

const wasSealed = ({ seal }: TokenView) => seal.liquidityUntilMs > 0
