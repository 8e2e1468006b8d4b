import type { PriceParts } from '@papermoon/format'

/** A figure that went up or down; the text has its sign. */
export interface Movement {
  readonly text: string
  readonly sign: -1 | 0 | 1
}

/** What the picture of a token shows. */
export interface TokenCard {
  readonly kind: 'token'
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly creator: string
  readonly price: PriceParts
  readonly change: Movement
  readonly marketCap: string
  /** Prices of the last 24 hours, oldest first, each as a share of their span: 0 the lowest, 1 the highest. */
  readonly line: readonly number[]
  readonly isRugged: boolean
}

/** What the picture of a player shows. */
export interface PlayerCard {
  readonly kind: 'player'
  readonly username: string
  /** The address of the player's picture; null for a coin with a letter. */
  readonly pictureUrl: string | null
  /** SOL, as shown. */
  readonly balance: string
  /** SOL, as shown. */
  readonly portfolio: string
  readonly created: string
  /** Some of what the player holds, the most valuable first. */
  readonly holdings: readonly { readonly emoji: string; readonly symbol: string }[]
  /** How many more. */
  readonly more: number
}

/** What the picture of the leaderboard shows. */
export interface BoardCard {
  readonly kind: 'board'
  readonly winners: readonly { readonly username: string; readonly profit: string }[]
}

/** What the picture of every other page shows. */
export interface HomeCard {
  readonly kind: 'home'
}

/** What a picture shows. It says everything but a player's picture itself, so the same card is the same picture. */
export type Card = TokenCard | PlayerCard | BoardCard | HomeCard

/** Pixels: what the places that show links ask for. */
export const CARD_WIDTH = 1_200
export const CARD_HEIGHT = 630
