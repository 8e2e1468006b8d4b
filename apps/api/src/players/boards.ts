import type { Sol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'

/** A place on the all-time board. */
export interface AllTimePlace {
  readonly userId: UserId
  /** SOL, above 0. */
  readonly profit: Sol
  readonly trades: number
}

/** A place on the creators' board. */
export interface CreatorPlace {
  readonly userId: UserId
  /** SOL, above 0. */
  readonly backing: Sol
  readonly backers: number
  readonly launched: number
  readonly rugged: number
}

/** A place on the rug board. */
export interface RugPlace {
  readonly tokenId: TokenId
  /** SOL, above 0. */
  readonly taken: Sol
  readonly holders: number
}

/** The boards over all time, each with the best first. */
export interface Boards {
  readonly allTime: readonly AllTimePlace[]
  readonly creators: readonly CreatorPlace[]
  readonly rugs: readonly RugPlace[]
}
