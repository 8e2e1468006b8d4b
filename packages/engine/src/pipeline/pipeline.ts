import { performance } from 'node:perf_hooks'
import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type AppliedBatch, type PublishedBatch, respondToBatch } from '../batch/apply-batch.ts'
import { type Clock, systemTimers, type Timers } from '../clock.ts'
import {
  type BatchTimes,
  type EngineObserver,
  type OrderQueue,
  type PendingOrder,
  recordSteps,
  toBatchFigures,
} from '../order-queue.ts'
import { EngineConnection } from '../sql/connection.ts'
import { ALONE_MAX, STEPS_BESIDE } from '../waiting/waiting-order.ts'
import { CascadeWatch } from './cascade-watch.ts'
import { LockedRunner } from './locked-runner.ts'
import { type OptimisticBatch, OptimisticRunner } from './optimistic-runner.ts'

export interface PipelineLimits {
  /** Max number of orders per transaction. */
  readonly batchMax: number
  /** Max time in ms that an order waits before the engine rejects it. */
  readonly waitMaxMs: number
  /** Max time to wait for a locked row, in ms. After this time, the engine rejects the orders that need the row. */
  readonly lockTimeoutMs: number
}

export interface PipelineParts {
  readonly pool: pg.Pool
  readonly clock: Clock
  /** Timers of the engine (default: the machine's timers). */
  readonly timers?: Timers | undefined
  readonly log: Logger
  readonly observer?: EngineObserver
  /** Called after each commit, in the order of commits. */
  publish(batch: PublishedBatch): void
}

/** Min number of waiting orders for which the queue is split into two batches. Every batch has a fixed cost. */
const SPLIT_MIN = 64

/** Max number of cascades that one batch continues. */
const CASCADES_AT_ONCE = 8

/** A batch that was sent to PostgreSQL. */
interface BatchInFlight {
  readonly orders: number
  /** Resolves when the next batch can be sent, because this batch is committed or recovered. Never rejects. */
  readonly committed: Promise<void>
  /** Resolves when the batch is committed or recovered and its orders have their responses. Never rejects. */
  readonly responded: Promise<void>
}

/**
 * Turns the queue into batches. While PostgreSQL writes a batch, the engine reads and applies the next batch. Batches
 * are sent one at a time, because orders must be committed in the order of the queue.
 */
export class Pipeline {
  readonly #queue: OrderQueue
  readonly #limits: PipelineLimits
  readonly #log: Logger
  readonly #connection: EngineConnection
  readonly #locked: LockedRunner
  readonly #optimistic: OptimisticRunner
  #looping: Promise<void> | null = null
  #inFlight: BatchInFlight | null = null
  /** Orders of the batch that is being applied. These orders are not sent yet, so the engine can still reject them. */
  #unsent: readonly PendingOrder[] = []
  /** Cascades to continue, and the number of batches that each has had so far. */
  readonly #cascades = new Map<TokenId, number>()
  /** Whether the last batch continued cascades, so that other orders come next. */
  #wasCascade = false
  readonly #watch: CascadeWatch
  #isClosing = false
  /** Stops the loop from waiting for a larger batch. */
  #notify: (() => void) | null = null

  constructor(parts: PipelineParts, queue: OrderQueue, limits: PipelineLimits) {
    const { pool, clock, timers = systemTimers, log, observer } = parts
    this.#queue = queue
    this.#limits = limits
    this.#log = log
    this.#connection = new EngineConnection({ pool, log, lockTimeoutMs: limits.lockTimeoutMs })
    const respond = (batch: AppliedBatch, times: BatchTimes) => {
      this.#connection.noteWritten()
      if (times.mode === 'locked') this.#noteLocked(batch)
      observer?.onBatch(toBatchFigures(batch.outcomes, times))
      respondToBatch(batch, {
        publish: parts.publish,
        published: () => recordSteps(batch.outcomes, times),
        // If the callback throws, subscribers get these events when the feed next reads the journal.
        failed: (error) => log.error({ err: error }, 'the events of a batch could not be published'),
      })
    }
    this.#locked = new LockedRunner({ connection: this.#connection, clock, log, respond })
    this.#optimistic = new OptimisticRunner({
      ...parts,
      timers,
      lockTimeoutMs: limits.lockTimeoutMs,
      writer: this.#connection,
      locked: this.#locked,
      respond,
    })
    const onStuck = (tokenId: TokenId, batches: number) => {
      this.#cascades.set(tokenId, batches)
      this.wake()
    }
    this.#watch = new CascadeWatch({ pool, timers, log, onStuck })
  }

  /** Starts the loop, or tells the running loop that the queue has grown. */
  wake(): void {
    if (this.#looping === null) this.#looping = this.#loop()
    else if (this.#isBatchLargeEnough) this.#notify?.()
  }

  get isIdle(): boolean {
    return this.#queue.waiting === 0 && this.#unsent.length === 0
  }

  /** Rejects orders that were queued before a certain time (ms of the monotonic clock) and not sent yet. */
  refuseBefore(beforeMs: number): void {
    for (const pending of this.#queue.takeOlderThan(beforeMs)) pending.reject(this.#connection.createRefusal())
    if (!this.#unsent.some(({ queuedAtMs }) => queuedAtMs < beforeMs)) return
    for (const pending of this.#unsent) pending.reject(this.#connection.createRefusal())
    this.#unsent = []
  }

  /** Resolves when the queue is empty and both connections are closed. */
  async close(): Promise<void> {
    // Another node continues a running cascade. If there is no other node, this node continues it after its next start.
    this.#isClosing = true
    await this.#watch.close()
    while (this.#looping !== null) await this.#looping
    await this.#connection.close()
    await this.#optimistic.close()
  }

  async #loop(): Promise<void> {
    let orders: readonly PendingOrder[] = []
    try {
      for (;;) {
        await this.#waitUntilReady()
        // Do not await anything from here to the end of the loop, because an order that is queued meanwhile would not
        // start another loop.
        const cascades = this.#chooseCascades()
        orders = cascades.length > 0 ? [] : this.#queue.take(this.#batchSize(), (pending) => this.#isBehind(pending))
        if (cascades.length > 0) await this.#goOn(cascades)
        else if (orders.length > 0) await this.#run(orders)
        else if (this.#cascades.size > 0) continue
        else if (this.#inFlight === null) break
        else await this.#inFlight.responded
      }
    } catch (error) {
      this.#log.error({ err: error }, 'the batch pipeline failed')
      for (const pending of orders) pending.reject(error)
    } finally {
      this.#looping = null
    }
  }

  /** Waits until it is time for the next batch. If there is no connection, rejects all waiting orders. */
  async #waitUntilReady(): Promise<void> {
    // Wait one turn of the event loop to collect orders that arrive together. For example, callers who just got a
    // response send their next orders.
    await new Promise(setImmediate)
    await this.#waitForLargeBatch()
    const isConnected = await this.#connection.connect()
    this.refuseBefore(isConnected ? performance.now() - this.#limits.waitMaxMs : Number.POSITIVE_INFINITY)
  }

  /**
   * Returns the size of the next batch. If nothing is being written, it is half the queue, so that the engine can apply
   * the second half while it writes the first.
   */
  #batchSize(): number {
    const half = Math.max(SPLIT_MIN, Math.ceil(this.#queue.waiting / 2))
    return Math.min(this.#limits.batchMax, this.#inFlight === null ? half : this.#limits.batchMax)
  }

  get #isBatchLargeEnough(): boolean {
    return this.#inFlight === null || this.#queue.waiting >= this.#inFlight.orders
  }

  /** Waits until as many orders are queued as are being written. A small batch costs nearly as much as a large one. */
  async #waitForLargeBatch(): Promise<void> {
    while (this.#inFlight !== null && !this.#isBatchLargeEnough) {
      const notified = new Promise<void>((resolve) => {
        this.#notify = resolve
      })
      await Promise.race([notified, this.#inFlight.responded])
      this.#notify = null
    }
  }

  /** Chooses the cascades to continue now. The list is empty if it is not their turn. */
  #chooseCascades(): TokenId[] {
    if (this.#isClosing) this.#cascades.clear()
    this.#wasCascade = this.#cascades.size > 0 && !(this.#wasCascade && this.#queue.waiting > 0)
    // While other orders wait, continue only one cascade to keep the batch short.
    const most = this.#queue.waiting > 0 ? 1 : CASCADES_AT_ONCE
    return this.#wasCascade ? [...this.#cascades.keys()].slice(0, most) : []
  }

  /** Returns whether an order must wait for the next batches, which are only for its token's cascade. */
  #isBehind({ order }: PendingOrder): boolean {
    return order.kind !== 'launch' && (this.#cascades.get(order.tokenId) ?? ALONE_MAX) < ALONE_MAX
  }

  async #goOn(tokenIds: readonly TokenId[]): Promise<void> {
    const before = new Map(this.#cascades)
    await this.#waitForWrite()
    const steps = this.#queue.waiting > 0 ? STEPS_BESIDE : undefined
    await this.#optimistic.runLocked([], { reached: tokenIds, steps })
    // Remove cascades that made no progress. The cascade watch finds them again later.
    for (const tokenId of tokenIds) {
      if (this.#cascades.get(tokenId) === before.get(tokenId)) this.#cascades.delete(tokenId)
    }
  }

  /** Records the work that a locked batch has not finished. */
  #noteLocked({ changes, deferred }: AppliedBatch): void {
    this.#optimistic.forget(changes)
    this.#queue.putBack(deferred)
    const moved = new Set([...changes.waiting.values()].map(({ order }) => order.tokenId))
    for (const [tokenId, { running }] of changes.books) {
      this.#cascades.delete(tokenId)
      // Insert the cascade again at the end, so that the other cascades come first.
      if (running !== null && moved.has(tokenId)) this.#cascades.set(tokenId, running.batches)
    }
  }

  async #run(orders: readonly PendingOrder[]): Promise<void> {
    this.#unsent = orders
    const batch = await this.#optimistic.apply(orders, () => this.#waitForWrite())
    await this.#inFlight?.committed
    // If `refuseBefore` has rejected the batch, remove the batch's effects from the cache.
    const isRefused = this.#unsent !== orders
    this.#unsent = []
    if (isRefused) this.#optimistic.clearCache()
    else if (batch !== null && this.#optimistic.isValid(batch)) this.#send(orders, batch)
    else {
      await this.#waitForWrite()
      await this.#optimistic.runLocked(orders)
    }
  }

  #send(orders: readonly PendingOrder[], batch: OptimisticBatch): void {
    const written = this.#optimistic.write(orders, batch)
    const sent: BatchInFlight = {
      orders: orders.length,
      committed: written.then(() => {}),
      responded: written.then(async (respond) => {
        // First let the next batch be sent, then respond to this batch's orders.
        if (this.#unsent.length > 0) await new Promise(setImmediate)
        if (this.#inFlight === sent) this.#inFlight = null
        respond()
      }),
    }
    this.#inFlight = sent
  }

  async #waitForWrite(): Promise<void> {
    await this.#inFlight?.responded
  }
}
