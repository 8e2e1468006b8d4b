import { DAY_MS, HOUR_MS, LAUNCH_SOL } from '../market/figures.ts'
import { isLiquiditySealed } from '../market/seal.ts'
import type { SelfView, TokenView } from '../market/views.ts'
import type { Random } from '../random/random.ts'
import { paperHands } from './paper-hands.ts'
import type { Strategy, StrategyView } from './strategy.ts'

/** Min real SOL that makes a rug worth the bad name. */
const LOOT_SOL = 0.5
/** Age above which a token is spared, in ms: by then it is a hobby. */
const OLD_MS = 2 * DAY_MS
const TEMPTATION = 0.001
/** The chance if it waited for a seal to end. */
const TEMPTATION_UNSEALED = 0.05

/** Trades like all others, and now and then drains a token that it launched. */
export const rugPuller: Strategy = (view, self, random, nowMs) => {
  const ripe = findRipe(view, self, nowMs)
  if (ripe !== undefined && isTempted(ripe, random)) return { kind: 'rug', tokenId: ripe.id }
  return paperHands(view, self, random, nowMs)
}

/** On a rug night, patience with its own token in ms. About two thirds of tokens traded for ten to twenty minutes go. */
const NIGHT_PATIENCE_MS = HOUR_MS / 2
const TEMPTATION_AT_NIGHT = 0.01

/** The same bot on a rug night: whatever its strategy, it may drain its own token. */
export function toRugNight(strategy: Strategy): Strategy {
  return (view, self, random, nowMs) => {
    const temper = { ...view.temper, patienceMs: NIGHT_PATIENCE_MS }
    const ripe = findRipe({ ...view, temper }, self, nowMs)
    if (ripe !== undefined && random.chance(TEMPTATION_AT_NIGHT)) return { kind: 'rug', tokenId: ripe.id }
    return strategy(view, self, random, nowMs)
  }
}

/** The first of its tokens that is past its patience or its seal and has enough in the pool. */
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

/** Whether to rug now. More likely the more the price has fallen from its top. */
function isTempted(token: TokenView, random: Random): boolean {
  if (wasSealed(token)) return random.chance(TEMPTATION_UNSEALED)
  return random.chance(TEMPTATION * (token.price < token.topPrice * 0.7 ? 3 : 1))
}

const wasSealed = ({ seal }: TokenView) => seal.liquidityUntilMs > 0
