/**
 * The first entry of a token's chain. Amounts in this file are plain decimals without trailing zeros, and times are ISO
 * 8601 in UTC with milliseconds.
 */
export interface ChainLaunch {
  readonly tokenId: number
  readonly creatorId: number
  readonly supply: string
  /** Launch price in SOL per token. */
  readonly launchPrice: string
  readonly createdAt: string
  readonly name: string
  readonly symbol: string
}

export interface ChainTrade {
  readonly kind: 'buy' | 'sell'
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  /** For a buy, the SOL paid including the fee. For a sale, the SOL received after the fee. */
  readonly solAmount: string
  readonly fee: string
  readonly tokenAmount: string
  /** Average price of the trade. */
  readonly price: string
  /** Spot price after the trade. */
  readonly spotPrice: string
  /** Virtual plus real SOL of the pool after the trade. */
  readonly solReserve: string
  readonly tokenReserve: string
  readonly createdAt: string
}

/** A rug pull. A rug pull is the last entry of a chain. The pool's SOL becomes 0, and its tokens do not change. */
export interface ChainRug {
  readonly kind: 'rug'
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  /** SOL paid to the creator. */
  readonly amount: string
  readonly createdAt: string
}

/** An entry in the chain of a token's seals, which is separate from the token's chain. */
export interface ChainSeal {
  readonly tokenId: number
  /** Number of the seal, from 1. */
  readonly number: number
  /** Sequence number of the token's last trade before the seal. */
  readonly seq: number
  readonly userId: number
  /** Time until which the token cannot be rugged. */
  readonly until: string
  /**
   * Time until which the creator must hold at least `bagTokens`, or null if the seal does not include the creator's
   * tokens.
   */
  readonly bagUntil: string | null
  readonly bagTokens: string
  readonly createdAt: string
}

export type ChainEntry = ChainTrade | ChainRug
