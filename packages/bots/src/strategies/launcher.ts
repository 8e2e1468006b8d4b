import { MINUTE_MS } from '../market/figures.ts'
import { toSealEnd } from '../market/seal.ts'
import { buyMore, isQuiet, isStale, sellPart, toGain } from './acts.ts'
import type { Strategy, StrategyView } from './strategy.ts'

/**
 * Time in ms before a seal's end from which the bot may extend the seal, and the chance per look that the bot does so.
 */
const RENEWED_BEFORE_MS = 30 * MINUTE_MS
const RENEWAL = 0.01

/** Launches tokens, extends some of its seals, buys its token for a while, and then sells its holding in parts. */
export const launcher: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const fading = self.createdTokens.find((tokenId) => isFading(view, tokenId, nowMs))
  if (fading !== undefined && random.chance(RENEWAL)) {
    return { kind: 'seal', tokenId: fading, seal: { term: 'day', bag: false } }
  }
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return sellPart(view, bag, 1)
    const gain = toGain(token, bag)
    if (gain < -temper.fear) return sellPart(view, bag, 1)
    if (gain > temper.greed || isStale(view, bag, nowMs)) return sellPart(view, bag, random.uniform(0.1, 0.4))
  }
  return random.chance(0.4) ? buyMore(view, self, random) : null
}

function isFading({ market }: StrategyView, tokenId: number, nowMs: number): boolean {
  const token = market.findToken(tokenId)
  const endMs = token === undefined || token.isRugged ? 0 : toSealEnd(token.seal, nowMs)
  return endMs > 0 && endMs - nowMs < RENEWED_BEFORE_MS
}
