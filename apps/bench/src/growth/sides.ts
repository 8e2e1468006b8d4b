import { copiedMarket, type MarketPlan, unevenMarket } from '../dataset/market-plan.ts'

/** It takes many minutes to make, and what is read of it hardly ages. */
const LARGE_KEPT_MS = 24 * 3_600_000
const PLAYERS = 10_000
const COPIES = 10

/** A small market and a large one: the tokens of both have a hundred trades each, on average. */
export interface Sides {
  readonly small: MarketPlan
  readonly large: MarketPlan
}

/** The markets that are compared: 100,000 trades and 10,000,000; a tenth of a thousandth to try it out. */
export function chooseSides(isQuick: boolean): Sides {
  if (isQuick) {
    const small = unevenMarket({ tokens: 300, players: 1_000, trades: 3_000 })
    return {
      small,
      large: copiedMarket(small, COPIES, LARGE_KEPT_MS),
    }
  }
  return {
    small: unevenMarket({ tokens: 1_000, players: PLAYERS, trades: 100_000 }),
    large: copiedMarket(unevenMarket({ tokens: 10_000, players: PLAYERS, trades: 1_000_000 }), COPIES, LARGE_KEPT_MS),
  }
}
