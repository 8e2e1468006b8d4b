import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type AppliedBatch, answerBatch } from '../batch/apply-batch.ts'
import type { Clock } from '../clock.ts'
import { BusyError } from '../errors.ts'
import type { MarketEvent } from '../market-events.ts'
import type { OrderQueue } from '../order-queue.ts'
import type { PendingOrder } from '../pending-order.ts'
import { EngineConnection } from '../sql/connection.ts'
import { LockedRunner } from './locked-runner.ts'
import { OptimisticRunner } from './optimistic-runner.ts'

/** Bounds of the flow. */
export interface PipelineLimits {
  /** Most orders of one transaction. */
  readonly batchMax: number
  /** An order that waited longer is refused instead of done late. */
  readonly waitMaxMs: number
}

export interface PipelineParts {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly log: Logger
  /** Told after each commit, in the commit order of each token and each player. */
  publish(events: readonly MarketEvent[]): void
}

/** Fewer are one batch: a batch has its own price. */
const SPLIT_MIN = 64

/** A batch that PostgreSQL has. */
interface Writing {
  readonly orders: number
  /** It is committed, or was recovered from: the next batch may be sent. Never rejects. */
  readonly committed: Promise<void>
  /** And its orders are answered. */
  readonly answered: Promise<void>
}

/**
 * Takes batch after batch out of the queue. While PostgreSQL writes one, the next is read and applied, so that both work at the
 * same time; one by one they are sent, so the order of orders is that of their batches.
 */
export class Pipeline {
  readonly #queue: OrderQueue
  readonly #limits: PipelineLimits
  readonly #log: Logger
  readonly #connection: EngineConnection
  readonly #locked: LockedRunner
  readonly #optimistic: OptimisticRunner
  #working: Promise<void> | null = null
  #writing: Writing | null = null
  /** Orders that were taken, and nothing of them was sent: they may still be refused. */
  #unsent: readonly PendingOrder[] = []
  /** Wakes who waits for more orders. */
  #ring: (() => void) | null = null

  constructor(parts: PipelineParts, queue: OrderQueue, limits: PipelineLimits) {
    const { pool, clock, log } = parts
    this.#queue = queue
    this.#limits = limits
    this.#log = log
    this.#connection = new EngineConnection({ pool, log })
    const answer = (batch: AppliedBatch) =>
      answerBatch(batch, {
        publish: parts.publish,
        // The journal's poll tells it then.
        failed: (error) => log.error({ err: error }, 'a batch could not be told of'),
      })
    this.#locked = new LockedRunner({ connection: this.#connection, clock, log, answer })
    this.#optimistic = new OptimisticRunner({ ...parts, writer: this.#connection, locked: this.#locked, answer })
  }

  /** Orders wait. */
  wake(): void {
    if (this.#working === null) this.#working = this.#work()
    else if (this.#isWorthwhile) this.#ring?.()
  }

  get isIdle(): boolean {
    return this.#queue.waiting === 0 && this.#unsent.length === 0
  }

  /** Refuses what waits since before a moment and was not sent. */
  refuseBefore(momentMs: number): void {
    for (const pending of this.#queue.takeOlder(momentMs)) pending.reject(new BusyError())
    if (!this.#unsent.some(({ queuedAtMs }) => queuedAtMs < momentMs)) return
    for (const pending of this.#unsent) pending.reject(new BusyError())
    this.#unsent = []
  }

  async close(): Promise<void> {
    while (this.#working !== null) await this.#working
    await this.#connection.close()
    await this.#optimistic.close()
  }

  async #work(): Promise<void> {
    let orders: readonly PendingOrder[] = []
    try {
      for (;;) {
        // Orders that arrive in the same turn of the event loop belong in one batch, those of whoever was just answered too.
        await new Promise(setImmediate)
        await this.#untilWorthwhile()
        const isConnected = await this.#connection.connect()
        this.refuseBefore(isConnected ? performance.now() - this.#limits.waitMaxMs : Number.POSITIVE_INFINITY)
        orders = this.#queue.take(this.#most())
        if (orders.length > 0) await this.#run(orders)
        else if (this.#writing === null) break
        else await this.#writing.answered
      }
    } catch (error) {
      this.#log.error({ err: error }, 'the batch pipeline failed')
      for (const pending of orders) pending.reject(error)
    } finally {
      this.#working = null
    }
  }

  /** Half of them while nothing is written, so that from then on one half is written while the other is applied. */
  #most(): number {
    const half = Math.max(SPLIT_MIN, Math.ceil(this.#queue.waiting / 2))
    return Math.min(this.#limits.batchMax, this.#writing === null ? half : this.#limits.batchMax)
  }

  get #isWorthwhile(): boolean {
    return this.#writing === null || this.#queue.waiting >= this.#writing.orders
  }

  /** Until nothing is being written, or as many wait as are: a small batch costs nearly as much as a large one. */
  async #untilWorthwhile(): Promise<void> {
    while (this.#writing !== null && !this.#isWorthwhile) {
      const rung = new Promise<void>((resolve) => {
        this.#ring = resolve
      })
      await Promise.race([rung, this.#writing.answered])
      this.#ring = null
    }
  }

  async #run(orders: readonly PendingOrder[]): Promise<void> {
    this.#unsent = orders
    const batch = await this.#optimistic.apply(orders, () => this.#settled())
    await this.#writing?.committed
    const isRefused = this.#unsent !== orders
    this.#unsent = []
    if (isRefused) this.#optimistic.clearCache()
    else if (batch !== null && this.#optimistic.isValid(batch)) this.#send(orders, batch)
    else {
      await this.#settled()
      await this.#optimistic.runLocked(orders)
    }
  }

  #send(orders: readonly PendingOrder[], batch: Parameters<OptimisticRunner['write']>[1]): void {
    const written = this.#optimistic.write(orders, batch)
    const writing: Writing = {
      orders: orders.length,
      committed: written.then(() => {}),
      answered: written.then(async (answer) => {
        // The next batch, if there is one, is sent first.
        if (this.#unsent.length > 0) await new Promise(setImmediate)
        if (this.#writing === writing) this.#writing = null
        answer()
      }),
    }
    this.#writing = writing
  }

  async #settled(): Promise<void> {
    await this.#writing?.answered
  }
}
