import { copiedMarket, type MarketPlan, unevenMarket } from '../dataset/market-plan.ts'

/** Max age of the large market: it takes long to generate, and the measured reads hardly depend on its age. */
const LARGE_KEPT_MS = 24 * 3_600_000
const PLAYERS = 10_000
const COPIES = 10

/** A small and a large market. Tokens of both have a hundred trades on average. */
export interface Sides {
  readonly small: MarketPlan
  readonly large: MarketPlan
}

/** The compared markets: 100,000 and 10,000,000 trades, or far fewer for a quick run. */
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
