import { LAUNCH_PRICE } from '../market/figures.ts'
import { buyMore, isQuiet, sellPart } from './acts.ts'
import type { Strategy } from './strategy.ts'

/** Half of the bot's spread as a fraction, which is above the fee of 0.3 %. */
const HALF_SPREAD = 0.006
/** How strongly the expected value pulls on the bot's fair value, from 0 to 1. */
const PULL = 0.02
/** How far a full holding lowers the bot's fair value, as a fraction, so that the bot sells earlier. */
const INVENTORY_SKEW = 0.03

/**
 * Buys below and sells above a fair value: the last half hour's mean price, pulled towards the expected price and
 * lowered by the bot's holding. The reduction is a linear form of the inventory skew of Avellaneda and Stoikov (2008).
 */
export const marketMaker: Strategy = (view, self, random, nowMs) => {
  const { token, temper } = view
  const bag = self.bags.get(token.id)
  if (bag !== undefined && isQuiet(token, nowMs)) return sellPart(view, bag, 1)
  const fill = (bag?.cost ?? 0) / temper.bagMax
  const expected = LAUNCH_PRICE * temper.fairMultiple
  const fair = token.slowPrice ** (1 - PULL) * expected ** PULL * (1 - INVENTORY_SKEW * (fill - 0.5))
  if (token.price < fair * (1 - HALF_SPREAD)) return buyMore(view, self, random)
  if (bag !== undefined && token.price > fair * (1 + HALF_SPREAD)) return sellPart(view, bag, random.uniform(0.15, 0.5))
  return null
}
