import type { Seal } from './seal.ts'

/** Market events with SOL and tokens as floats and times in Unix ms. */
export type MarketEvent = LaunchEvent | TradeEvent | RugEvent | SealEvent

export interface LaunchEvent {
  readonly type: 'launch'
  readonly atMs: number
  readonly tokenId: number
  readonly creatorId: number
  readonly name: string
  readonly symbol: string
}

export interface TradeEvent {
  readonly type: 'trade'
  readonly atMs: number
  readonly tokenId: number
  readonly userId: number
  readonly side: 'buy' | 'sell'
  /** SOL that the trader paid including the fee, or received after the fee. */
  readonly sol: number
  readonly fee: number
  readonly tokens: number
  /** The pool's reserves after the trade. `solReserve` includes the virtual SOL. */
  readonly solReserve: number
  readonly tokenReserve: number
  /** Number of tokens that the trader holds after the trade. */
  readonly holding: number
}

export interface RugEvent {
  readonly type: 'rug'
  readonly atMs: number
  readonly tokenId: number
  readonly userId: number
  readonly sol: number
}

export interface SealEvent {
  readonly type: 'seal'
  readonly atMs: number
  readonly tokenId: number
  readonly userId: number
  readonly kind: 'sealed' | 'renewed' | 'expired'
  readonly seal: Seal
}
