import type { TokenStory } from '../cast/story.ts'
import type { MarketView, SelfView, TokenView } from '../market/views.ts'
import type { Decision } from '../orders.ts'
import type { Random } from '../random/random.ts'
import type { Temper } from './temper.ts'

/** The input of a decision: the market, and the token that the bot looks at. */
export interface StrategyView {
  readonly market: MarketView
  readonly token: TokenView
  readonly temper: Temper
  /** The story for a launch, in case the bot wants to launch a token. */
  readonly story: TokenStory
}

/** Returns an order, or null to do nothing. A strategy is a pure function of the data that a player can see. */
export type Strategy = (view: StrategyView, self: SelfView, random: Random, nowMs: number) => Decision | null
