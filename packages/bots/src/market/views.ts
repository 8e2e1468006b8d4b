import type { Seal } from './seal.ts'

/** A market as a player sees it. Do not store these objects, because the next event changes them. */
export interface MarketView {
  /** The known tokens, in the order of their launches. */
  readonly tokens: Iterable<TokenView>
  findToken(tokenId: number): TokenView | undefined
}

export interface TokenView {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly createdAtMs: number
  readonly creatorId: number
  /** Number of the creator's rug pulls before this launch. */
  readonly creatorRugs: number
  /** Number of the creator's launches in the day up to this launch, including this one. */
  readonly creatorLaunches: number
  /** Number of tokens that the creator holds. */
  readonly creatorTokens: number
  /** Time of the creator's last dump or rug pull, if it was of another token. Otherwise, the value is -Infinity. */
  readonly creatorDumpedAtMs: number
  /** Virtual plus real SOL in the pool, or 0 after a rug pull. */
  readonly solReserve: number
  readonly tokenReserve: number
  /** Spot price in SOL per token, or 0 after a rug pull. */
  readonly price: number
  /** Mean price over about the last minute, weighted by duration. */
  readonly fastPrice: number
  /** Mean price over about the last half hour, weighted by duration. */
  readonly slowPrice: number
  readonly topPrice: number
  /** Time of the last trade, or of the launch if there was no trade. */
  readonly lastTradeAtMs: number
  readonly tradeCount: number
  /** SOL traded so far, including fees. */
  readonly volume: number
  readonly holderCount: number
  readonly isRugged: boolean
  readonly seal: Seal
  /** Returns one of the last 16 trades: `recentTrade(0)` is the latest. */
  recentTrade(age: number): RecentTrade | undefined
}

export interface RecentTrade {
  readonly atMs: number
  readonly userId: number
  readonly side: 'buy' | 'sell'
  readonly sol: number
  readonly price: number
}

export interface SelfView {
  readonly id: number
  /** Balance in SOL. */
  readonly balance: number
  readonly bags: ReadonlyMap<number, BagView>
  /** Ids of tokens that the player launched and has not rugged, oldest first. */
  readonly createdTokens: readonly number[]
  /** Time of the player's last launch. The value is -Infinity if there was no launch. */
  readonly lastLaunchAtMs: number
}

export interface BagView {
  readonly tokenId: number
  readonly amount: number
  /** SOL that the player paid for the holding, including fees, by the average cost method. */
  readonly cost: number
  /** Time when the player first bought tokens of this holding. */
  readonly boughtAtMs: number
}
