import type { PoolState, Seal, TokenId, Trade, UserId } from './query-results.ts'

/** A trade, with everything it changed. */
export interface TradeEvent {
  type: 'trade'
  tokenId: TokenId
  seq: number
  trade: Trade
  pool: PoolState
  currentPrice: string
  marketCap: string
  volume: string
  holding: string
}

/** A creator drained a pool and closed the token permanently. */
export interface RugEvent {
  type: 'rug_pull'
  tokenId: TokenId
  seq: number
  userId: UserId
  username: string
  isBot: boolean
  amount: string
  createdAt: string
}

/** A token was launched; `seq` is 0, before any trade. */
export interface LaunchEvent {
  type: 'token_launched'
  tokenId: TokenId
  seq: 0
  name: string
  symbol: string
  emoji: string
  creator: { id: UserId; username: string; isBot: boolean }
  createdAt: string
}

/** A creator sealed a token or made its seal longer, or the seal has ended. */
export interface SealEvent {
  type: 'seal'
  tokenId: TokenId
  kind: 'sealed' | 'renewed' | 'expired'
  number: number
  seq: number
  userId: UserId
  username: string
  isBot: boolean
  seal: Seal
  createdAt: string
}

export type MarketEvent = TradeEvent | RugEvent | LaunchEvent | SealEvent
