import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type AppliedBatch, applyBatch } from '../batch/apply-batch.ts'
import type { Market } from '../batch/market.ts'
import type { Clock } from '../clock.ts'
import { BusyError, OutcomeUnknownError } from '../errors.ts'
import type { PendingOrder } from '../pending-order.ts'
import { EngineConnection } from '../sql/connection.ts'
import { missingRows } from '../sql/missing-rows.ts'
import { type BatchReads, type LockMode, readUnlocked } from '../sql/read.ts'
import { writeChanges } from '../sql/write.ts'
import { type WriteColumns, writeColumns } from '../sql/write-columns.ts'
import { CommitUnansweredError, isStale, remedyFor } from './failures.ts'
import type { LockedRunner } from './locked-runner.ts'
import { MarketCache } from './market-cache.ts'

/** How long batches run under locks after somebody else was found at the same rows, or after a failure. */
const FORCE_LOCKS_MS = 1_000
/** What is read is read by keys; whoever does not answer in this time is not waited for. */
const READ_MAX_MS = 2_000

/** A batch that was applied to what is remembered, ready to be sent. */
export interface OptimisticBatch extends AppliedBatch {
  readonly epoch: number
  readonly columns: WriteColumns
}

interface Parts {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly log: Logger
  readonly writer: EngineConnection
  readonly locked: LockedRunner
  answer(batch: AppliedBatch): void
}

/**
 * Batches of buys and sales on what this process remembers of the market, each written by one statement on condition that
 * everything is still so. Where it is not, or anything else is in the way, the orders run again under locks.
 */
export class OptimisticRunner {
  readonly #parts: Parts
  readonly #cache = new MarketCache()
  /** Reads what is not remembered while the other connection writes. */
  readonly #reader: EngineConnection
  #forceLocksUntilMs = 0
  /** Until when nobody waits for rows that somebody holds. */
  #skipLockedUntilMs = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#reader = new EngineConnection(parts)
  }

  /**
   * Applies orders on top of all batches before; null where they have to run under locks. Never rejects. `settled` tells when
   * nothing is being written.
   */
  async apply(orders: readonly PendingOrder[], settled: () => Promise<void>): Promise<OptimisticBatch | null> {
    if (performance.now() < this.#forceLocksUntilMs || !orders.every(isTrade)) return null
    if (this.#cache.isFull) {
      await settled()
      this.#cache.clear()
    }
    const { epoch, market } = this.#cache
    const add = await this.#read(orders)
    if (add === null || epoch !== this.#cache.epoch) return null
    try {
      const batch = applyBatch(market, orders, { reads: add(market), nowMs: this.#parts.clock.now().getTime() })
      return { ...batch, epoch, columns: writeColumns(batch.changes) }
    } catch (error) {
      this.#parts.log.error({ err: error, orders: orders.length }, 'a batch could not be applied')
      this.#cache.clear()
      return null
    }
  }

  /** Whether what the batch rests on was not forgotten since. */
  isValid({ epoch }: OptimisticBatch): boolean {
    return epoch === this.#cache.epoch
  }

  /** Writes and commits. Never rejects; returns how to answer, once it is committed or all its orders ran in another way. */
  async write(orders: readonly PendingOrder[], batch: OptimisticBatch): Promise<() => void> {
    try {
      const client = await this.#parts.writer.client()
      await writeChanges(client, batch.changes, batch.columns).catch((error: unknown) => {
        throw new CommitUnansweredError(error)
      })
    } catch (error) {
      await this.#recover(orders, error)
      return () => {}
    }
    return () => this.#parts.answer(batch)
  }

  /** Runs orders under locks, while nothing is being written. Never rejects. */
  async runLocked(orders: readonly PendingOrder[], mode: LockMode = this.#lockMode()): Promise<void> {
    const isHeld = await this.#parts.locked.run(orders, { count: 1, mode })
    if (isHeld) this.#skipLocked()
    this.#cache.invalidate(orders)
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
    else if (remedy === 'busy') for (const pending of orders) pending.reject(new BusyError())
    else {
      if (remedy === 'skip-locked') this.#skipLocked()
      await this.runLocked(orders)
      this.#cache.clear()
    }
  }

  /** Null where it takes too long, or fails. */
  async #read(orders: readonly PendingOrder[]): Promise<((market: Market) => BatchReads) | null> {
    const wanted = { rows: missingRows(this.#cache.market, orders), orders }
    try {
      return await inTime(
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
    this.#forceLocksUntilMs = performance.now() + FORCE_LOCKS_MS
  }

  /** As long as rows are held, nobody waits for them again. */
  #skipLocked(): void {
    this.#skipLockedUntilMs = performance.now() + FORCE_LOCKS_MS
    this.#forceLocks()
  }

  #lockMode(): LockMode {
    return performance.now() < this.#skipLockedUntilMs ? 'skip' : 'wait'
  }
}

function isTrade({ order }: PendingOrder): boolean {
  return order.kind === 'buy' || order.kind === 'sell'
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout of a read')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
