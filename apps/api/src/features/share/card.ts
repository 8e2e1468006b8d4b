import type { PriceParts } from '@papermoon/format'

/** A change of a value. The text of a change has a sign. */
export interface Movement {
  readonly text: string
  readonly sign: -1 | 0 | 1
}

/** The content of the picture of a token. */
export interface TokenCard {
  readonly kind: 'token'
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly creator: string
  readonly price: PriceParts
  readonly change: Movement
  readonly marketCap: string
  /** Prices of the last 24 hours, oldest first, scaled from 0 (lowest) to 1 (highest). */
  readonly line: readonly number[]
  readonly isRugged: boolean
  /** Text such as `Sealed until Nov 27, 14:05 UTC`. The text is null if there is no seal. */
  readonly seal: string | null
  /** Displayed date and time of a past state. Null if the picture shows the current state. */
  readonly moment: string | null
}

/** The content of the picture of a player. */
export interface PlayerCard {
  readonly kind: 'player'
  readonly username: string
  readonly isBot: boolean
  /**
   * Emoji that the picture shows if the player has no profile picture. Null if the picture shows the first letter of
   * the name instead.
   */
  readonly emoji: string | null
  /** URL of the player's profile picture. Null if the picture shows a coin with the player's initial. */
  readonly pictureUrl: string | null
  /** Balance in SOL, as the picture shows it. */
  readonly balance: string
  /** Portfolio value in SOL, as the picture shows it. */
  readonly portfolio: string
  readonly created: string
  /** Verdicts of courts on the player, such as `Scoundrel ×2`. The text is null if there are no verdicts. */
  readonly stamp: string | null
  /** Some of the player's holdings, the most valuable first. */
  readonly holdings: readonly { readonly emoji: string; readonly symbol: string }[]
  /** Number of holdings that the picture does not list. */
  readonly more: number
}

/** The content of the picture for the leaderboard. */
export interface BoardCard {
  readonly kind: 'board'
  readonly winners: readonly { readonly username: string; readonly profit: string }[]
}

/** The content of the picture of a closed position, or of a result in a fair. All numbers are texts, as displayed. */
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

/** The content of the picture of a sticker. */
export interface StickerCard {
  readonly kind: 'sticker'
  readonly emoji: string
  readonly name: string
  readonly rule: string
  readonly username: string
}

/** The content of the picture for all other pages. */
export interface HomeCard {
  readonly kind: 'home'
}

/** The content of a picture. This content determines the picture completely, except for a player's profile picture. */
export type Card = TokenCard | PlayerCard | BoardCard | WinCard | StickerCard | HomeCard

/** Size of link previews in pixels. */
export const CARD_WIDTH = 1_200
export const CARD_HEIGHT = 630
