import type { TokenStory } from './cast/story.ts'

/** Decision of a strategy. SOL and tokens are floats. */
export type Decision =
  | { readonly kind: 'buy'; readonly tokenId: number; readonly sol: number }
  /** `portion` of the holding, above 0 and at most 1. */
  | { readonly kind: 'sell'; readonly tokenId: number; readonly portion: number }
  | { readonly kind: 'launch'; readonly story: TokenStory; readonly initialBuy: number }
  | { readonly kind: 'rug'; readonly tokenId: number }

/** An order ready to be placed. SOL has at most 9 decimals and tokens at most 6, so `toFixed` gives their exact text. */
export type BotOrder = BuyOrder | SellOrder | LaunchOrder | RugOrder

export interface BuyOrder {
  readonly kind: 'buy'
  readonly userId: number
  readonly tokenId: number
  /** SOL to pay, fee included. */
  readonly sol: number
  readonly minTokensOut: number
}

export interface SellOrder {
  readonly kind: 'sell'
  readonly userId: number
  readonly tokenId: number
  readonly tokens: number
  readonly minSolOut: number
}

export interface LaunchOrder {
  readonly kind: 'launch'
  readonly userId: number
  readonly story: TokenStory
  /** SOL for the creator's first buy; 0 for none. */
  readonly initialBuy: number
}

export interface RugOrder {
  readonly kind: 'rug'
  readonly userId: number
  readonly tokenId: number
}
