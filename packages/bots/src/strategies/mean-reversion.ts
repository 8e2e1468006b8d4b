import { buyMore, isQuiet, isStale, sellPart, toGain } from './acts.ts'
import type { Strategy } from './strategy.ts'

/**
 * Min distance from the half hour's mean price at which the bot trades, as a fraction. The distance must pay for the
 * fees of a buy and a sale, which are 0.6 % together.
 */
const DISTANCE = 0.01
const CURIOSITY = 0.25

/** Buys below the last half hour's mean price and sells above it. */
export const meanReversion: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  const distance = token.price / token.slowPrice - 1
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return sellPart(view, bag, 1)
    const gain = toGain(token, bag)
    if (gain > temper.greed || gain < -temper.fear || isStale(view, bag, nowMs)) return sellPart(view, bag, 1)
    if (distance > DISTANCE) return sellPart(view, bag, random.uniform(0.3, 0.7))
  }
  if (distance < -DISTANCE) return buyMore(view, self, random)
  return bag === undefined && random.chance(CURIOSITY) ? buyMore(view, self, random, 0.5) : null
}
