import { buyMore, isQuiet, isStale, sellPart, toGain } from './acts.ts'
import type { Strategy } from './strategy.ts'

/** Chance that the bot buys a token, if no other player has just bought it. */
const COURAGE = 0.35
/** Chance that the bot sells a part for no reason. */
const TREMBLING = 0.3

/** Buys a token that another player has just bought, and sells at the first gain or loss. */
export const paperHands: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return sellPart(view, bag, 1)
    const gain = toGain(token, bag)
    if (gain > temper.greed || gain < -temper.fear || isStale(view, bag, nowMs)) return sellPart(view, bag, 1)
    return random.chance(TREMBLING) ? sellPart(view, bag, random.uniform(0.2, 0.6)) : null
  }
  const latest = token.recentTrade(0)
  const isFollowing = latest !== undefined && latest.side === 'buy' && latest.userId !== self.id
  return isFollowing || random.chance(COURAGE) ? buyMore(view, self, random) : null
}
