import { HOUR_MS } from '../market/figures.ts'
import { buyMore, isQuiet, isStale, sellPart, toGain, toTrend } from './acts.ts'
import type { Strategy } from './strategy.ts'

/**
 * Min SOL traded and min age of a token that the bot trades. The bot would move the price of smaller tokens too far.
 */
const VOLUME_MIN = 5
const AGE_MIN_MS = HOUR_MS / 4

/** Trades rarely, in large amounts: buys established tokens that do not fall, and sells large parts. */
export const whale: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return sellPart(view, bag, 1)
    const gain = toGain(token, bag)
    if (gain < -temper.fear || isStale(view, bag, nowMs)) return sellPart(view, bag, random.uniform(0.5, 1))
    if (gain > temper.greed) return sellPart(view, bag, random.uniform(0.2, 0.5))
  }
  if (token.creatorRugs > 0) return null
  if (token.volume < VOLUME_MIN || nowMs - token.createdAtMs < AGE_MIN_MS || toTrend(token) < 0) return null
  return buyMore(view, self, random)
}
