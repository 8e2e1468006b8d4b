import type { TokenStory } from '../cast/story.ts'
import type { MarketView, SelfView, TokenView } from '../market/views.ts'
import type { Decision } from '../orders.ts'
import type { Random } from '../random/random.ts'
import type { Temper } from './temper.ts'

/** Input of a decision: the market, and the token that the bot looks at. */
export interface StrategyView {
  readonly market: MarketView
  readonly token: TokenView
  readonly temper: Temper
  /** The story for a launch, if the bot wants one. */
  readonly story: TokenStory
}

/** A pure function of what a player can see. Returns null to do nothing. */
export type Strategy = (view: StrategyView, self: SelfView, random: Random, nowMs: number) => Decision | null
