import type { Position, Price } from '@papermoon/amm'
import type { RugPullEvent } from '../../../events/event.ts'
import type { TokenId, UserId } from '../../../ids.ts'
import type { LaunchOrder } from '../../../orders.ts'
import type { TradeEffect } from './apply-trade.ts'
import { CandleChanges } from './candles.ts'
import type { LockedAccount, LockedMarket, LockedPool } from './market.ts'

/** A trade of the batch with the key it is remembered by. */
export interface TradeEntry {
  readonly kind: 'trade'
  readonly effect: TradeEffect
  readonly requestKey: string
}

/** A launch of the batch. */
export interface LaunchEntry {
  readonly kind: 'launch'
  readonly tokenId: TokenId
  readonly order: LaunchOrder
  readonly requestKey: string
  readonly fingerprint: string
  readonly creator: { readonly id: UserId; readonly username: string }
  readonly price: Price
  /** Where the token's chain begins. */
  readonly hash: string
  readonly atMs: number
}

/** A rug pull of the batch. */
export interface RugEntry {
  readonly kind: 'rug'
  readonly rug: RugPullEvent
  readonly hash: string
  readonly requestKey: string
}

export type JournalEntry = TradeEntry | LaunchEntry | RugEntry

/** Everything a batch writes: its journal entries in order, and the last state of each row it changed. */
export class BatchChanges {
  readonly journal: JournalEntry[] = []
  readonly pools = new Map<TokenId, LockedPool>()
  readonly accounts = new Map<UserId, LockedAccount>()
  readonly positions = new Map<string, { tokenId: TokenId; userId: UserId; position: Position }>()
  readonly candles = new CandleChanges()

  get isEmpty(): boolean {
    return this.journal.length === 0
  }

  /** The journal entries of one kind, in order. */
  entries<K extends JournalEntry['kind']>(kind: K): Extract<JournalEntry, { kind: K }>[] {
    return this.journal.filter((entry): entry is Extract<JournalEntry, { kind: K }> => entry.kind === kind)
  }
}

/** Ids taken after every lock was held, so that their order is a valid order of replay. */
export interface IdSupply {
  nextTradeId(): number
  nextTokenId(): TokenId
}

/** A batch while its orders are applied, one after another. */
export interface BatchRun {
  readonly market: LockedMarket
  readonly changes: BatchChanges
  readonly ids: IdSupply
  readonly nowMs: number
}

/** Makes a pool and an account as an order leaves them what the next order meets, and what is written. */
export function keep({ market, changes }: BatchRun, pool: LockedPool, account: LockedAccount): void {
  market.pools.set(pool.tokenId, pool)
  market.accounts.set(account.userId, account)
  changes.pools.set(pool.tokenId, pool)
  changes.accounts.set(account.userId, account)
}

/** Records a trade that is done. */
export function keepTrade(run: BatchRun, effect: TradeEffect, requestKey: string): void {
  const { trade, pool, account, position, priceBefore, volume } = effect
  const { tokenId, userId } = trade
  run.changes.journal.push({ kind: 'trade', effect, requestKey })
  run.changes.candles.add({
    tokenId,
    atMs: pool.lastEventAtMs,
    before: priceBefore,
    after: pool.price,
    volume,
    trades: 1,
  })
  run.market.setPosition(tokenId, userId, position)
  run.changes.positions.set(`${tokenId}:${userId}`, { tokenId, userId, position })
  keep(run, pool, account)
}
