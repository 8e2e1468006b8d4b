import { HOUR_MS, MINUTE_MS } from '../market/figures.ts'
import { buyMore, isQuiet, isStale, sellPart, toGain } from './acts.ts'
import type { Strategy } from './strategy.ts'

const NEW_MS = 4 * MINUTE_MS
/** Chance that the bot buys a token that is no longer new but younger than six hours. */
const BORED = 0.3
/** Chance that the bot sells half early. */
const TAKE_SOME = 0.25

/** Buys tokens just after their launch and sells them soon. */
export const sniper: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  const ageMs = nowMs - token.createdAtMs
  if (bag !== undefined) {
    if (isQuiet(token, nowMs)) return sellPart(view, bag, 1)
    const gain = toGain(token, bag)
    if (gain > temper.greed || gain < -temper.fear) return sellPart(view, bag, random.chance(0.5) ? 1 : 0.5)
    if (isStale(view, bag, nowMs)) return sellPart(view, bag, 1)
    return random.chance(TAKE_SOME) ? sellPart(view, bag, 0.5) : null
  }
  if (ageMs < NEW_MS) return token.creatorRugs > 0 && random.chance(0.7) ? null : buyMore(view, self, random)
  return ageMs < 6 * HOUR_MS && random.chance(BORED) ? buyMore(view, self, random, 0.5) : null
}
