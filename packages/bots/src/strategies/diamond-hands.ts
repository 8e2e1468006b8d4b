import { buyMore, isQuiet, sellPart, toGain } from './acts.ts'
import type { Strategy } from './strategy.ts'

/** Chance that the bot sells a token that is no longer traded. */
const LETTING_GO = 0.4

/** Buys and holds through every fall. Sells a little if the holding is worth many times its cost, or is very old. */
export const diamondHands: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return random.chance(LETTING_GO) ? sellPart(token, bag, 1) : null
    if (toGain(token, bag) > temper.greed) return sellPart(token, bag, random.uniform(0.1, 0.25))
    if (nowMs - bag.boughtAtMs > temper.patienceMs && random.chance(0.1)) {
      return sellPart(token, bag, random.uniform(0.1, 0.3))
    }
  }
  if (token.creatorRugs > 0) return null
  return buyMore(view, self, random, bag === undefined ? 1 : 0.5)
}
