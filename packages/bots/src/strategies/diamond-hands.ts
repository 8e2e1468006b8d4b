import { buyMore, isQuiet, sellPart, toGain } from './acts.ts'
import type { Strategy } from './strategy.ts'

/**
 * Buys tokens and holds them, even if the price falls or trading stops. Sells a little if the holding is worth many
 * times its cost, or is very old.
 */
export const diamondHands: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return null
    if (toGain(token, bag) > temper.greed) return sellPart(view, bag, random.uniform(0.1, 0.25))
    if (nowMs - bag.boughtAtMs > temper.patienceMs && random.chance(0.1)) {
      return sellPart(view, bag, random.uniform(0.1, 0.3))
    }
  }
  if (token.creatorRugs > 0) return null
  return buyMore(view, self, random, bag === undefined ? 1 : 0.5)
}
