/**
 * The first entry of a token's chain. All amounts in this file are plain decimals without trailing zeros, as in the API;
 * times are ISO 8601 in UTC with milliseconds.
 */
export interface ChainLaunch {
  readonly tokenId: number
  readonly creatorId: number
  /** Tokens. */
  readonly supply: string
  /** SOL per token. */
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
  /** Buy: SOL paid, with the fee. Sell: SOL received, after the fee. */
  readonly solAmount: string
  readonly fee: string
  readonly tokenAmount: string
  /** Average price of the trade. */
  readonly price: string
  /** Price after the trade. */
  readonly spotPrice: string
  /** Virtual plus real SOL of the pool after the trade. */
  readonly solReserve: string
  readonly tokenReserve: string
  readonly createdAt: string
}

/** A rug pull, the last entry of a chain. It leaves the pool without SOL and with unchanged tokens. */
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
  /** From 1. */
  readonly number: number
  /** Number of the token's last trade before the seal. */
  readonly seq: number
  readonly userId: number
  /** The token cannot be rugged before this time. */
  readonly until: string
  /** The creator keeps at least `bagTokens` until this time; null if the bag is not sealed. */
  readonly bagUntil: string | null
  readonly bagTokens: string
  readonly createdAt: string
}

export type ChainEntry = ChainTrade | ChainRug
