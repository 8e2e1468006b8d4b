import { Decimal, type Price, type Sol } from '@papermoon/amm'
import type { TokenId, UserId } from '../ids.ts'
import type { RugPullEvent, TradeEvent } from '../market-events.ts'
import type { LaunchOrder, PlayerPosition } from '../orders.ts'
import type { BatchReads } from '../sql/read.ts'
import type { TradeEffect } from './apply-trade.ts'
import type { Account, Market, TokenPool } from './market.ts'

/** A trade of the batch with the key it is remembered by. Its id is 0 until it is written. */
export interface TradeEntry {
  readonly kind: 'trade'
  readonly event: TradeEvent
  readonly hash: string
  readonly requestKey: string
}

/** A launch of the batch. */
export interface LaunchEntry {
  readonly kind: 'launch'
  readonly tokenId: TokenId
  readonly order: LaunchOrder
  readonly requestKey: string
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

/** What a batch did to a pool: all of it at one time, so within one candle of each width. */
export interface PoolChange {
  readonly before: TokenPool
  after: TokenPool
  high: Price
  low: Price
  /** SOL that traders paid, or were paid before the fee; a rug pull has none, and is no trade. */
  volume: Sol
  trades: number
  readonly holdings: Map<UserId, HoldingChange>
  /** The last thing that happened, if it was a trade: it has the pool's figures as texts. */
  last: TradeEvent | null
}

/** What a batch did to an account. */
export interface AccountChange {
  readonly before: Account
  after: Account
  /** SOL. */
  realizedPnl: Sol
}

/** What a batch did to a holding. */
export interface HoldingChange {
  /** There is no row yet: it is inserted. */
  readonly isNew: boolean
  /** What the player has of it then. */
  after: PlayerPosition
}

const NOTHING = new Decimal(0)

/** Everything a batch writes: its journal entries in order, and for each row it changed how it was and how it is. */
export class BatchChanges {
  readonly journal: JournalEntry[] = []
  readonly pools = new Map<TokenId, PoolChange>()
  readonly accounts = new Map<UserId, AccountChange>()
  /** Rows that an order was refused by, or answered from, without a change. */
  readonly refusedBy = { pools: new Map<TokenId, TokenPool>(), accounts: new Map<UserId, Account>() }

  get isEmpty(): boolean {
    return this.journal.length === 0
  }

  /** The journal entries of one kind, in order. */
  entries<K extends JournalEntry['kind']>(kind: K): Extract<JournalEntry, { kind: K }>[] {
    return this.journal.filter((entry): entry is Extract<JournalEntry, { kind: K }> => entry.kind === kind)
  }

  addPool(before: TokenPool, after: TokenPool, { volume, trades }: { volume: Sol; trades: number }): PoolChange {
    const known = this.pools.get(after.tokenId)
    if (known !== undefined) return extend(known, after, { volume, trades })
    const [low, high] = after.price.lt(before.price) ? [after.price, before.price] : [before.price, after.price]
    const change: PoolChange = { before, after, high, low, volume, trades, holdings: new Map(), last: null }
    this.pools.set(after.tokenId, change)
    return change
  }

  addAccount(before: Account, after: Account, realizedPnl: Sol): void {
    const change = this.accounts.get(after.userId)
    if (change === undefined) {
      this.accounts.set(after.userId, { before, after, realizedPnl })
    } else {
      change.after = after
      change.realizedPnl = change.realizedPnl.add(realizedPnl)
    }
  }
}

function extend(change: PoolChange, after: TokenPool, { volume, trades }: { volume: Sol; trades: number }): PoolChange {
  change.after = after
  change.last = null
  if (after.price.gt(change.high)) change.high = after.price
  if (after.price.lt(change.low)) change.low = after.price
  change.volume = change.volume.add(volume)
  change.trades += trades
  return change
}

/** A batch while its orders are applied, one after another. */
export interface BatchRun {
  readonly market: Market
  readonly changes: BatchChanges
  readonly reads: BatchReads
  readonly nowMs: number
}

/** Makes a pool as an order leaves it what the next order meets, and what is written. */
export function keepPool({ market, changes }: BatchRun, after: TokenPool, volume = NOTHING, trades = 0): PoolChange {
  const before = market.pool(after.tokenId) ?? after
  market.setPool(after)
  return changes.addPool(before, after, { volume, trades })
}

/** The same of an account; `realizedPnl` in SOL. */
export function keepAccount({ market, changes }: BatchRun, after: Account, realizedPnl: Sol): void {
  const before = market.account(after.userId) ?? after
  market.setAccount(after)
  changes.addAccount(before, after, realizedPnl)
}

/** Records a trade that is done. */
export function keepTrade(run: BatchRun, effect: TradeEffect, requestKey: string): void {
  const { event, pool, account, volume, realizedPnl, position } = effect
  const { tokenId, userId } = event.trade
  run.changes.journal.push({ kind: 'trade', event, hash: pool.chainHead, requestKey })
  const poolChange = keepPool(run, pool, volume, 1)
  poolChange.last = event
  keepAccount(run, account, realizedPnl)
  const isNew = run.market.holding(tokenId, userId)?.isRow !== true
  run.market.setHolding(tokenId, userId, { amount: position.amount, cost: position.cost, isRow: true })
  const change = poolChange.holdings.get(userId)
  if (change === undefined) poolChange.holdings.set(userId, { isNew, after: position })
  else change.after = position
}
