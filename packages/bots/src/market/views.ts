import type { Seal } from './seal.ts'

/** A market as a player sees it. The objects are live: they change with the next event. */
export interface MarketView {
  /** Tokens that are followed, in the order of their launches. */
  readonly tokens: Iterable<TokenView>
  findToken(tokenId: number): TokenView | undefined
}

export interface TokenView {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly createdAtMs: number
  readonly creatorId: number
  /** Tokens that the creator rugged before this one was launched. */
  readonly creatorRugs: number
  /** Tokens that the creator launched in the day up to this launch, this one included. */
  readonly creatorLaunches: number
  /** Virtual plus real SOL; 0 after a rug pull. */
  readonly solReserve: number
  readonly tokenReserve: number
  /** Spot price in SOL for a token; 0 after a rug pull. */
  readonly price: number
  /** Mean price of about the last minute, weighted by time. */
  readonly fastPrice: number
  /** Mean price of about the last half hour, weighted by time. */
  readonly slowPrice: number
  /** Highest price so far. */
  readonly topPrice: number
  /** When the last trade happened; the launch if there was none. */
  readonly lastTradeAtMs: number
  readonly tradeCount: number
  /** SOL traded so far, fees included. */
  readonly volume: number
  readonly holderCount: number
  readonly isRugged: boolean
  readonly seal: Seal
  /** The latest trade is at `recentTrade(0)`; undefined past the last 16. */
  recentTrade(age: number): RecentTrade | undefined
}

export interface RecentTrade {
  readonly atMs: number
  readonly userId: number
  readonly side: 'buy' | 'sell'
  readonly sol: number
  readonly price: number
}

/** Possessions of a player. */
export interface SelfView {
  readonly id: number
  /** SOL. */
  readonly balance: number
  readonly bags: ReadonlyMap<number, BagView>
  /** Tokens that the player launched and did not rug, oldest first. */
  readonly createdTokens: readonly number[]
  /** When the player's last launch happened; -Infinity if there was none. */
  readonly lastLaunchAtMs: number
}

export interface BagView {
  readonly tokenId: number
  readonly amount: number
  /** SOL paid for it, fees included, by average cost. */
  readonly cost: number
  /** When the first of it was bought. */
  readonly boughtAtMs: number
}
