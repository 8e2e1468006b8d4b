import { Decimal, type Price, type Sol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { RugPullEvent, SealEvent, Trade, TradeEvent } from '@papermoon/contract/market-events'
import type { LaunchOrder, PlayerPosition, SealRequest } from '../orders.ts'
import type { BatchReads } from '../sql/read.ts'
import type { OrderBook, WaitingChange, WaitingOrder } from '../waiting/waiting-order.ts'
import type { TradeEffect } from './apply-trade.ts'
import { type Account, type KeySpending, type Market, type TokenPool, WaitingCounts } from './market.ts'

interface Placed {
  /** Position in the journal, or 0 before the write. */
  position: number
}

/** A trade of the batch, whose id is its position in the journal, or 0 before the write. */
export interface TradeEntry {
  readonly kind: 'trade'
  readonly event: TradeEvent
  readonly hash: string
  readonly requestKey: string
}

export interface LaunchEntry extends Placed {
  readonly kind: 'launch'
  readonly tokenId: TokenId
  readonly order: LaunchOrder
  readonly requestKey: string
  readonly creator: { readonly id: UserId; readonly username: string; readonly isBot: boolean }
  readonly price: Price
  /** The first hash of the token's chain. */
  readonly hash: string
  readonly atMs: number
}

export interface RugEntry extends Placed {
  readonly kind: 'rug'
  readonly rug: RugPullEvent
  readonly hash: string
  readonly requestKey: string
}

export interface SealEntry extends Placed {
  readonly kind: 'seal'
  readonly event: SealEvent
  readonly request: SealRequest
  readonly hash: string
  /** The seal order's idempotency key, or null if the seal was part of the launch. */
  readonly requestKey: string | null
}

export type JournalEntry = TradeEntry | LaunchEntry | RugEntry | SealEntry

/** A batch's changes to a pool and its forming candles. */
export interface PoolChange extends CandleChange {
  readonly before: TokenPool
  after: TokenPool
  readonly holdings: Map<UserId, HoldingChange>
  /** The pool's last event, if it was a trade. The event is stored, because it already has formatted numbers. */
  last: TradeEvent | null
}

export interface AccountChange {
  readonly before: Account
  after: Account
  realizedPnl: Sol
}

export interface SpendingChange {
  readonly before: KeySpending
  after: KeySpending
}

export interface HoldingChange {
  /** Whether the holding's row does not exist yet and must be inserted. */
  readonly isNew: boolean
  after: PlayerPosition
}

export interface RecordedWaiting extends WaitingChange {
  /** The number of fills that the order had when it was read, or null if it was placed in this batch. */
  readonly fillsBefore: number | null
  /** Digest of the request. A repeat must have the same digest. The value is null if the order was placed earlier. */
  readonly digest: string | null
  /** Position of the change in the journal, or 0 until it is written. */
  readonly place: number
}

/** A change to a waiting order, with the last fill that caused it, or null if no fill caused it. */
export type PublishedWaiting = RecordedWaiting & { readonly fill: Trade | null }

const ZERO = new Decimal(0)

/** All changes that a batch writes: its journal entries in order, and each changed row before and after. */
export class BatchChanges {
  readonly journal: JournalEntry[] = []
  readonly pools = new Map<TokenId, PoolChange>()
  /** Account changes by account id. */
  readonly accounts = new Map<number, AccountChange>()
  /** Spending changes by API key id. */
  readonly spendings = new Map<number, SpendingChange>()
  /** Changed waiting orders by id, in the order of their first change. */
  readonly waiting = new Map<number, RecordedWaiting>()
  /** Number of waiting orders that this batch adds for each player. */
  readonly moreWaiting = new WaitingCounts()
  /** The new order book of each pool. */
  readonly books = new Map<TokenId, OrderBook>()
  /** The journal's last position before the batch, or null until the batch reserves its positions. */
  #after: number | null = null
  /** Rows that an order did not change but that its response depends on. */
  readonly unmodified = { pools: new Map<TokenId, TokenPool>(), accounts: new Map<number, Account>() }

  /** Whether the batch has no trades and has locked all rows that it depends on. */
  get hasWaitingOnly(): boolean {
    const { pools, accounts } = this.unmodified
    return this.journal.length + this.pools.size + this.accounts.size + pools.size + accounts.size === 0
  }

  get isEmpty(): boolean {
    return this.journal.length === 0 && this.waiting.size === 0 && this.books.size === 0
  }

  get after(): number | null {
    return this.#after
  }

  /** Number of positions that the batch takes in the journal. */
  get positions(): number {
    return this.waiting.size + this.journal.length
  }

  /** Assigns the positions after `after`, first to the waiting orders and then to the journal entries, in order. */
  assignPositions(after: number): void {
    this.#after = after
    let last = after
    for (const [id, change] of this.waiting) this.waiting.set(id, { ...change, place: ++last })
    for (const entry of this.journal) {
      if (entry.kind === 'trade') entry.event.trade.id = ++last
      else entry.position = ++last
    }
  }

  entries<K extends JournalEntry['kind']>(kind: K): Extract<JournalEntry, { kind: K }>[] {
    return this.journal.filter((entry): entry is Extract<JournalEntry, { kind: K }> => entry.kind === kind)
  }

  addPool(before: TokenPool, after: TokenPool, traded: Traded): PoolChange {
    const known = this.pools.get(after.tokenId)
    if (known === undefined) {
      const candle = startCandle(before.price, after.price, traded)
      const change: PoolChange = { before, after, ...candle, holdings: new Map(), last: null }
      this.pools.set(after.tokenId, change)
      return change
    }
    extendCandle(known, after.price, traded)
    known.after = after
    known.last = null
    return known
  }

  addAccount(before: Account, after: Account, realizedPnl: Sol): void {
    const change = this.accounts.get(after.id)
    if (change === undefined) {
      this.accounts.set(after.id, { before, after, realizedPnl })
    } else {
      change.after = after
      change.realizedPnl = change.realizedPnl.add(realizedPnl)
    }
  }
}

/** The changes of a batch while its orders are applied. */
export interface BatchRun {
  readonly market: Market
  readonly changes: BatchChanges
  readonly reads: BatchReads
  readonly nowMs: number
}

/** Records a pool after an order. */
export function recordPool({ market, changes }: BatchRun, after: TokenPool, volume = ZERO, trades = 0): PoolChange {
  const before = market.pool(after.tokenId) ?? after
  market.setPool(after)
  return changes.addPool(before, after, { volume, trades })
}

/** Records a seal. The seal's journal entry also updates the pool's row, so the batch only verifies that row. */
export function recordSeal({ market, changes }: BatchRun, after: TokenPool, entry: SealEntry): void {
  market.setPool(after)
  changes.journal.push(entry)
  const change = changes.pools.get(after.tokenId)
  if (change === undefined) changes.unmodified.pools.set(after.tokenId, after)
  else change.after = after
}

/** Records a locked pool's order book. The book's version increases once per batch. */
export function recordBook({ market, changes }: BatchRun, { book, ...pool }: TokenPool): void {
  const version = changes.books.get(pool.tokenId)?.version ?? book.version + 1
  const after = { ...pool, book: { ...book, version } }
  market.setPool(after)
  changes.books.set(pool.tokenId, after.book)
  const change = changes.pools.get(pool.tokenId)
  if (change !== undefined) change.after = after
  // Verify the pool as it will be written, because a rejected order may depend on the old pool.
  if (changes.unmodified.pools.has(pool.tokenId)) changes.unmodified.pools.set(pool.tokenId, after)
}

/** Records a waiting order. For a new order, `before` is null and `after` has the request's digest. */
export function recordWaiting(
  { changes }: BatchRun,
  before: WaitingOrder | null,
  after: WaitingChange & { readonly digest?: string },
): void {
  const known = changes.waiting.get(after.order.id)
  const { fillsBefore, digest } = known ?? { fillsBefore: before?.fills ?? null, digest: after.digest ?? null }
  const hasWaited = known === undefined ? before !== null : known.state === 'waiting'
  const { owner, tokenId } = after.order
  changes.moreWaiting.add(owner.userId, tokenId, Number(after.state === 'waiting') - Number(hasWaited))
  changes.waiting.set(after.order.id, { ...after, fillsBefore, digest, place: 0 })
}

export function recordAccount({ market, changes }: BatchRun, after: Account, realizedPnl: Sol): void {
  const before = market.account(after.id) ?? after
  market.setAccount(after)
  changes.addAccount(before, after, realizedPnl)
}

/** Records how much of its limit an API key has spent, in SOL. `after` is null if the key has no limit. */
export function recordSpending({ market, changes }: BatchRun, after: KeySpending | null): void {
  if (after === null) return
  const before = market.spending(after.keyId) ?? after
  market.setSpending(after)
  const change = changes.spendings.get(after.keyId)
  if (change === undefined) changes.spendings.set(after.keyId, { before, after })
  else change.after = after
}

export function recordTrade(run: BatchRun, effect: TradeEffect, requestKey: string): void {
  const { event, pool, account, volume, realizedPnl, position } = effect
  const { tokenId, userId } = event.trade
  run.changes.journal.push({ kind: 'trade', event, hash: pool.chainHead, requestKey })
  const poolChange = recordPool(run, pool, volume, 1)
  poolChange.last = event
  recordAccount(run, account, realizedPnl)
  const isNew = run.market.holding(tokenId, userId)?.isRow !== true
  run.market.setHolding(tokenId, userId, { amount: position.amount, cost: position.cost, isRow: true }, account.id)
  const change = poolChange.holdings.get(userId)
  if (change === undefined) poolChange.holdings.set(userId, { isNew, after: position })
  else change.after = position
}

/**
 * A batch's change to a pool's candles. All orders of a batch have the same time, so the batch is in one candle of each
 * width.
 */
interface CandleChange {
  high: Price
  low: Price
  /** SOL that buyers paid, or sellers received before the fee. The volume does not include rug pulls. */
  volume: Sol
  trades: number
}

/** A candle's values that are sums. */
export type Traded = Readonly<Pick<CandleChange, 'volume' | 'trades'>>

/** Starts a pool's candle in a batch with an order that moved the spot price from `before` to `after`. */
export function startCandle(before: Price, after: Price, { volume, trades }: Traded): CandleChange {
  const [low, high] = after.lt(before) ? [after, before] : [before, after]
  return { high, low, volume, trades }
}

/** Adds the pool's next order in the batch to the change. */
function extendCandle(candle: CandleChange, price: Price, { volume, trades }: Traded): void {
  if (price.gt(candle.high)) candle.high = price
  if (price.lt(candle.low)) candle.low = price
  candle.volume = candle.volume.add(volume)
  candle.trades += trades
}
