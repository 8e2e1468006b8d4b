import type { TokenStory } from './cast/story.ts'
import type { SealRequest } from './market/seal.ts'

/** A strategy's decision, with SOL and tokens as floats. */
export type Decision =
  | { readonly kind: 'buy'; readonly tokenId: number; readonly sol: number }
  /** Sells the part `portion` of the holding, which is above 0 and at most 1. */
  | { readonly kind: 'sell'; readonly tokenId: number; readonly portion: number }
  | { readonly kind: 'launch'; readonly story: TokenStory; readonly initialBuy: number; readonly seal?: SealRequest }
  | { readonly kind: 'rug'; readonly tokenId: number }
  | { readonly kind: 'seal'; readonly tokenId: number; readonly seal: SealRequest }

/** An order that can be placed. SOL has at most 9 decimals and tokens at most 6, so `toFixed` gives exact text. */
export type BotOrder = BuyOrder | SellOrder | LaunchOrder | RugOrder | SealOrder

export interface BuyOrder {
  readonly kind: 'buy'
  readonly userId: number
  readonly tokenId: number
  /** SOL to pay, including the fee. */
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
  /** SOL for the creator's first buy, or 0 for none. */
  readonly initialBuy: number
  readonly seal?: SealRequest
}

export interface RugOrder {
  readonly kind: 'rug'
  readonly userId: number
  readonly tokenId: number
}

export interface SealOrder {
  readonly kind: 'seal'
  readonly userId: number
  readonly tokenId: number
  readonly seal: SealRequest
}
