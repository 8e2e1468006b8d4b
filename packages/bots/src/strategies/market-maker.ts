import { LAUNCH_PRICE } from '../market/figures.ts'
import { buyMore, isQuiet, sellPart } from './acts.ts'
import type { Strategy } from './strategy.ts'

/** Half of the bot's spread, as a fraction. The value is above the fee of 0.3 %. */
const HALF_SPREAD = 0.006
/** Weight of the expected price in the bot's fair value, from 0 to 1. */
const PULL = 0.02
/**
 * Fraction by which a full holding lowers the bot's fair value. With a full holding, the bot therefore sells earlier.
 */
const INVENTORY_SKEW = 0.03

/**
 * Buys below a fair value and sells above it. The fair value is the last half hour's mean price, moved towards the
 * expected price and lowered according to the bot's holding. This reduction is a linear form of the inventory skew of
 * Avellaneda and Stoikov (2008).
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
