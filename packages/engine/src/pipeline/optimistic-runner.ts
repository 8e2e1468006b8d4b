import { performance } from 'node:perf_hooks'
import type { TokenId } from '@papermoon/contract/ids'
import { withTimeout } from '@papermoon/db'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type AppliedBatch, applyBatch } from '../batch/apply-batch.ts'
import type { BatchChanges } from '../batch/changes.ts'
import { getAccountId, Market } from '../batch/market.ts'
import type { Clock, Timers } from '../clock.ts'
import { OutcomeUnknownError } from '../errors.ts'
import { type BatchTimes, isExpired, type PendingOrder } from '../order-queue.ts'
import { EngineConnection } from '../sql/connection.ts'
import { type BatchReads, type LockMode, readUnlocked } from '../sql/read.ts'
import { findMissingRows } from '../sql/statements.ts'
import { toWriteColumns, type WriteColumns, writeChanges } from '../sql/write.ts'
import { ReachedError } from '../waiting/cascade.ts'
import { CommitFailedError, isStale, remedyFor } from './failures.ts'
import type { BatchWork } from './locked-batch.ts'
import type { LockedRunner, PassedOver } from './locked-runner.ts'

/** How long batches use locks after a conflict with another writer or a failed read, in ms. */
const FORCE_LOCKS_MS = 1_000
/**
 * Max time for a read, in ms. After this time, the batch runs again and locks its rows. All reads are by key and
 * normally fast.
 */
const READ_MAX_MS = 2_000

/** A batch that was applied to the cached market and is ready to write. */
export interface OptimisticBatch extends AppliedBatch {
  readonly epoch: number
  readonly columns: WriteColumns
}

interface Parts {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly writer: EngineConnection
  readonly lockTimeoutMs: number
  readonly locked: LockedRunner
  respond(batch: AppliedBatch, times: BatchTimes): void
}

/**
 * Applies buys and sales to the cached market, and writes each batch with one statement. The statement fails if a row
 * has changed since it was cached. After a conflict or another temporary failure, the orders run again with locked
 * rows.
 */
export class OptimisticRunner {
  readonly #parts: Parts
  readonly #cache = new MarketCache()
  /** The connection that reads uncached rows while the writer is busy. */
  readonly #reader: EngineConnection
  #forceLocksUntilMs = 0
  /** The token whose price reached waiting orders in the last applied batch, or undefined if there is none. */
  #reached: readonly TokenId[] = []
  /** Time until which batches skip locked rows instead of waiting for them. */
  #skipLockedUntilMs = 0
  /** Transactions that had locked the last skipped rows, and the time at which the engine first noticed each. */
  #heldSinceMs: ReadonlyMap<string, number> = new Map()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#reader = new EngineConnection(parts)
  }

  /**
   * Applies orders to the market after all earlier batches. Returns null if the orders must run with locked rows. Never
   * rejects. The function `waitForWrite` resolves when nothing is being written.
   */
  async apply(orders: readonly PendingOrder[], waitForWrite: () => Promise<void>): Promise<OptimisticBatch | null> {
    this.#reached = []
    if (this.#parts.timers.monotonic() < this.#forceLocksUntilMs || !orders.every(isTrade)) return null
    if (this.#cache.isFull) {
      await waitForWrite()
      this.#cache.clear()
    }
    const { epoch, market } = this.#cache
    const add = await this.#read(orders)
    if (add === null || epoch !== this.#cache.epoch) return null
    try {
      const batch = applyBatch(market, orders, { reads: add(market), nowMs: this.#parts.clock.now().getTime() })
      return { ...batch, epoch, columns: toWriteColumns(batch.changes) }
    } catch (error) {
      if (error instanceof ReachedError) {
        this.#reached = [error.tokenId]
        // Undo only the changes that these orders made in the cache.
        this.#cache.invalidate(orders)
        return null
      }
      this.#parts.log.error({ err: error, orders: orders.length }, 'a batch could not be applied')
      this.#cache.clear()
      return null
    }
  }

  /** Returns whether the cache is the same as when the batch was applied. */
  isValid({ epoch }: OptimisticBatch): boolean {
    return epoch === this.#cache.epoch
  }

  /**
   * Writes and commits a batch. Never rejects. Resolves to a function that responds to the batch's orders, unless the
   * write failed and recovery has already responded.
   */
  async write(orders: readonly PendingOrder[], batch: OptimisticBatch): Promise<() => void> {
    const sentMs = performance.now()
    try {
      const client = await this.#parts.writer.client()
      // Check the time again, because the process may have been suspended since the last check.
      if (orders.some(isExpired)) return await this.#runWithoutExpired(orders)
      await writeChanges(client, batch.changes, batch.columns).catch((error: unknown) => {
        throw new CommitFailedError(error)
      })
    } catch (error) {
      await this.#recover(orders, error)
      return () => {}
    }
    const times = { mode: 'optimistic', sentMs, endMs: performance.now() } as const
    return () => this.#parts.respond(batch, times)
  }

  /** Runs the other orders again with locked rows, because a batch that contains expired orders cannot be written. */
  async #runWithoutExpired(orders: readonly PendingOrder[]): Promise<() => void> {
    this.#cache.clear()
    await this.runLocked(orders)
    return () => {}
  }

  /** Runs orders with locked rows and continues cascades, while nothing else is being written. Never rejects. */
  async runLocked(
    orders: readonly PendingOrder[],
    cascades: Omit<BatchWork, 'orders'> = { reached: this.#reached },
  ): Promise<void> {
    this.#reached = []
    const attempt = { count: 1, mode: this.#lockMode(), hasWaited: false }
    const passedOver = await this.#parts.locked.run({ orders, ...cascades }, attempt)
    if (passedOver !== null) this.#notePassedOver(passedOver)
    this.#cache.invalidate(orders)
  }

  forget(changes: BatchChanges): void {
    this.#cache.forget(changes)
  }

  clearCache(): void {
    this.#cache.clear()
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  async #recover(orders: readonly PendingOrder[], error: unknown): Promise<void> {
    const remedy = remedyFor(error)
    this.#parts.log.warn({ err: error, orders: orders.length, remedy }, 'an optimistic batch failed')
    this.#cache.clear()
    if (isStale(error)) this.#forceLocks()
    await this.#parts.writer.recover(error)
    if (remedy === 'unknown') for (const pending of orders) pending.reject(new OutcomeUnknownError(pending.requestKey))
    else if (remedy === 'busy' || remedy === 'full')
      for (const pending of orders) pending.reject(this.#parts.writer.createRefusal())
    else {
      if (remedy === 'skip-locked') this.#skipLocked()
      await this.runLocked(orders)
      this.#cache.clear()
    }
  }

  /** Reads rows that are not cached. Resolves to null on failure or timeout. */
  async #read(orders: readonly PendingOrder[]): Promise<((market: Market) => BatchReads) | null> {
    const wanted = { rows: findMissingRows(this.#cache.market, orders), orders }
    try {
      return await withTimeout(
        readUnlocked(() => this.#reader.client(), wanted),
        READ_MAX_MS,
      )
    } catch (error) {
      this.#parts.log.warn({ err: error, orders: orders.length }, 'a batch could not be read')
      await this.#reader.recover(error)
      this.#forceLocks()
      return null
    }
  }

  #forceLocks(): void {
    this.#forceLocksUntilMs = this.#parts.timers.monotonic() + FORCE_LOCKS_MS
  }

  /** Makes batches skip locked rows instead of waiting for them. */
  #skipLocked(): void {
    this.#skipLockedUntilMs = this.#parts.timers.monotonic() + FORCE_LOCKS_MS
    this.#forceLocks()
  }

  /**
   * Skips locked rows only while a single transaction locks a row for longer than the lock timeout. If another node
   * trades the same token, its transactions also lock the row nearly all the time, but each only briefly. Batches
   * therefore wait for such short locks.
   */
  #notePassedOver({ hasWaited, holders }: PassedOver): void {
    const nowMs = this.#parts.timers.monotonic()
    this.#heldSinceMs = new Map([...holders].map((holder) => [holder, this.#heldSinceMs.get(holder) ?? nowMs]))
    const isHeldOn = [...this.#heldSinceMs.values()].some((sinceMs) => nowMs - sinceMs >= this.#parts.lockTimeoutMs)
    if (hasWaited || isHeldOn) this.#skipLocked()
  }

  #lockMode(): LockMode {
    return this.#parts.timers.monotonic() < this.#skipLockedUntilMs ? 'skip' : 'wait'
  }
}

function isTrade({ order }: PendingOrder): boolean {
  return order.kind === 'buy' || order.kind === 'sell'
}

const BYTES_MAX = 100_000_000

/**
 * The market as this process last wrote or read it. The next batch need not read the cached rows again. A batch is
 * written only if every row equals the cached row, because other nodes may have changed rows. A conflict clears the
 * cache.
 */
class MarketCache {
  readonly market = new Market()
  #epoch = 0

  /** Number of times that `clear` was called. Batches that were applied before the last call are invalid. */
  get epoch(): number {
    return this.#epoch
  }

  get isFull(): boolean {
    return this.market.bytes >= BYTES_MAX
  }

  /** Removes rows that these orders may have changed. */
  invalidate(orders: readonly PendingOrder[]): void {
    for (const { order } of orders) {
      this.market.removeAccount(getAccountId(order))
      if (order.spendingKeyId !== undefined) this.market.removeSpending(order.spendingKeyId)
      if (order.kind !== 'launch') this.market.removeToken(order.tokenId)
    }
  }

  /** Removes rows that a locked batch changed, including the rows of waiting orders that it filled. */
  forget({ accounts, pools, spendings }: BatchChanges): void {
    for (const id of accounts.keys()) this.market.removeAccount(id)
    for (const tokenId of pools.keys()) this.market.removeToken(tokenId)
    for (const keyId of spendings.keys()) this.market.removeSpending(keyId)
  }

  clear(): void {
    this.market.clear()
    this.#epoch++
  }
}
