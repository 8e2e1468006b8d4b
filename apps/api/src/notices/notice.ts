import type { NoticeKind } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'

export type { NoticeKind }

export type AlertMeasure = 'price' | 'marketCap' | 'percent'
export type AlertDirection = 'above' | 'below'

/** Something that a player is told. */
export interface Notice {
  /** Increases with time; equal ids are the same notice, on the bell and on every device. */
  readonly id: number
  readonly kind: NoticeKind
  readonly createdAt: string
  /** When the player read it; null: not yet. */
  readonly readAt: string | null
  /** How often it happened: sales of one holder within ten minutes count together. */
  readonly times: number
  /** Null for a place on the leaderboard. */
  readonly token: {
    readonly id: TokenId
    readonly name: string
    readonly symbol: string
    readonly emoji: string
    readonly isRugged: boolean
  } | null
  /** Who rugged, sold, took the place, bought, or earned the sticker; null for an alert or a milestone. */
  readonly actor: { readonly id: UserId; readonly username: string; readonly isBot: boolean } | null
  /** The token's sequence number at which it happened (last). */
  readonly seq: number | null
  /** Tokens sold, or held by a new holder. */
  readonly tokens: string | null
  /** SOL that the sales or the rug pull paid, or that the first buyer did. */
  readonly sol: string | null
  /** The supply, for the share that was sold. */
  readonly supply: string | null
  /** The place lost, from 1. */
  readonly rank: number | null
  /** The place now; null: none of the Top 3. */
  readonly rankNow: number | null
  readonly alert: {
    readonly measure: AlertMeasure
    /** The value that the player entered. */
    readonly value: string
    readonly direction: AlertDirection
    /** SOL: the price that was reached. */
    readonly price: string
  } | null
  /** A sticker that was earned, and how many with it. */
  readonly sticker: {
    readonly id: string
    readonly emoji: string
    readonly name: string
    readonly rule: string
    readonly more: number
  } | null
  /** What a token of the player's reached. */
  readonly milestone: { readonly measure: 'marketCap' | 'holders'; readonly value: string } | null
  readonly seal: {
    readonly stage: 'hour' | 'minutes' | 'ended'
    readonly until: string
  } | null
  /** The post that names the player. */
  readonly post: { readonly id: number; readonly tokenId: number | null; readonly fairId: number | null } | null
  /** What a moderator did about the player's report, or about the player. */
  /** What became of the player's waiting order. */
  readonly order: { readonly kind: string; readonly state: string; readonly cause: string | null } | null
  readonly moderation: { readonly act: string; readonly about: string; readonly isReport: boolean } | null
}
