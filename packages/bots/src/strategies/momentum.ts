import { buyMore, sellPart, toGain, toTrend } from './acts.ts'
import type { Strategy } from './strategy.ts'

const TREND = 0.002

/** Buys what rises and sells what stopped rising. */
export const momentum: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const trend = toTrend(token)
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    const gain = toGain(token, bag)
    if (gain < -temper.fear || gain > temper.greed) return sellPart(token, bag, 1)
    if (trend < -TREND || nowMs - bag.boughtAtMs > temper.patienceMs)
      return sellPart(token, bag, random.uniform(0.3, 1))
  }
  if (trend > TREND) return buyMore(view, self, random)
  return random.chance(0.25) ? buyMore(view, self, random, 0.5) : null
}
