import type { PriceParts } from '@papermoon/format'

/** A change of a value. The text has its sign. */
export interface Movement {
  readonly text: string
  readonly sign: -1 | 0 | 1
}

/** The content of a token's picture. */
export interface TokenCard {
  readonly kind: 'token'
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly creator: string
  readonly price: PriceParts
  readonly change: Movement
  readonly marketCap: string
  /** Prices of the last 24 hours, oldest first, scaled so that 0 is the lowest and 1 the highest. */
  readonly line: readonly number[]
  readonly isRugged: boolean
  /** `Sealed until Nov 27, 14:05 UTC`; null without a seal. */
  readonly seal: string | null
  /** Date and time of a past state, as shown; null for the present. */
  readonly moment: string | null
}

/** The content of a player's picture. */
export interface PlayerCard {
  readonly kind: 'player'
  readonly username: string
  readonly isBot: boolean
  /** Emoji that is shown if there is no picture; null: the name's first letter. */
  readonly emoji: string | null
  /** URL of the player's profile picture; null for a coin with their initial. */
  readonly pictureUrl: string | null
  /** Balance in SOL, as shown. */
  readonly balance: string
  /** Portfolio value in SOL, as shown. */
  readonly portfolio: string
  readonly created: string
  /** Courts' verdicts on the player, such as `Scoundrel ×2`; null: none. */
  readonly stamp: string | null
  /** Some of the player's holdings, most valuable first. */
  readonly holdings: readonly { readonly emoji: string; readonly symbol: string }[]
  /** Number of further holdings. */
  readonly more: number
}

/** The content of the leaderboard's picture. */
export interface BoardCard {
  readonly kind: 'board'
  readonly winners: readonly { readonly username: string; readonly profit: string }[]
}

/** The content of a picture of a closed position, or of a result in a fair. Numbers are as shown. */
export interface WinCard {
  readonly kind: 'win'
  readonly emoji: string
  readonly name: string
  /** The token’s symbol, or the rank in the fair. */
  readonly symbol: string
  /** Text such as `closed by luna`. */
  readonly by: string
  readonly movement: Movement
  readonly figures: readonly { readonly label: string; readonly figure: string; readonly unit?: string }[]
}

/** The content of a sticker's picture. */
export interface StickerCard {
  readonly kind: 'sticker'
  readonly emoji: string
  readonly name: string
  readonly rule: string
  readonly username: string
}

/** The content of every other page's picture. */
export interface HomeCard {
  readonly kind: 'home'
}

/** The content of a picture. It determines the picture completely, except for a player's profile picture. */
export type Card = TokenCard | PlayerCard | BoardCard | WinCard | StickerCard | HomeCard

/** Size in pixels that link previews expect. */
export const CARD_WIDTH = 1_200
export const CARD_HEIGHT = 630
