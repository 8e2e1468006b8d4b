import { buyMore, isQuiet, isStale, sellPart, toGain, toTrend } from './acts.ts'
import type { Strategy } from './strategy.ts'

/** Min trend that counts as more than noise, as a fraction. */
const TREND = 0.004
/** Chance that the bot buys without a trend. Without this chance, the bot might never hold anything. */
const CURIOSITY = 0.3

/** Buys rising tokens and sells tokens that have stopped rising. */
export const momentum: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const trend = toTrend(token)
  const bag = self.bags.get(token.id)
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return sellPart(view, bag, 1)
    const gain = toGain(token, bag)
    if (gain < -temper.fear || gain > temper.greed) return sellPart(view, bag, 1)
    if (trend < -TREND || isStale(view, bag, nowMs)) return sellPart(view, bag, random.uniform(0.3, 0.8))
  }
  if (trend > TREND) return buyMore(view, self, random)
  return bag === undefined && random.chance(CURIOSITY) ? buyMore(view, self, random, 0.4) : null
}
