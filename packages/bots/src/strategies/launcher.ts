import { buyMore, isQuiet, isStale, sellPart, toGain } from './acts.ts'
import type { Strategy } from './strategy.ts'

/** Besides its launches: believes in tokens for a while, and sells its share in pieces. */
export const launcher: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return sellPart(token, bag, 1)
    const gain = toGain(token, bag)
    if (gain < -temper.fear) return sellPart(token, bag, 1)
    if (gain > temper.greed || isStale(view, bag, nowMs)) return sellPart(token, bag, random.uniform(0.1, 0.4))
  }
  return random.chance(0.4) ? buyMore(view, self, random) : null
}
