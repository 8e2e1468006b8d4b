import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { UserId } from '@papermoon/contract/ids'
import { dryRunOrder } from './dry-run.ts'
import { BusyError } from './errors.ts'
import { computeFingerprint, toPriorKey } from './idempotency.ts'
import { type EngineObserver, OrderQueue, type PendingOrder, type QueueLimits, type Receipt } from './order-queue.ts'
import type { DryRun, Order, OrderEntry, ReceiptByKind } from './orders.ts'
import { Pipeline, type PipelineLimits, type PipelineParts } from './pipeline/pipeline.ts'
import { LOCK_TIMEOUT_MS } from './sql/connection.ts'

export type EngineLimits = QueueLimits &
  PipelineLimits & {
    /**
     * Max time until the engine begins or rejects an order, in ms. Because of this limit, a lost order cannot run
     * later.
     */
    readonly beginMaxMs: number
  }

export const ENGINE_LIMITS: EngineLimits = {
  waitingMax: 4_096,
  perPlayerMax: 8,
  batchMax: 512,
  waitMaxMs: 5_000,
  beginMaxMs: 15_000,
  lockTimeoutMs: LOCK_TIMEOUT_MS,
}

type EngineParts = PipelineParts & { readonly limits?: EngineLimits | undefined; readonly observer?: EngineObserver }

export interface TradingEngine extends OrderEntry {
  /** Rejects further orders. Resolves when all pending orders have their responses. */
  close(): Promise<void>
}

export interface OwnEngine extends TradingEngine {
  /** Number of orders that wait for a batch. */
  readonly waiting: number
  /** Number of orders that have no response yet. */
  readonly unanswered: number
}

/**
 * Creates the trading engine. While a batch is written, orders wait in a fair queue, and the next batch takes them all.
 * As a result, hundreds of orders share one transaction under load, but a single order does not wait. Any number of
 * processes can run an engine on one database, because each engine verifies its cached rows.
 */
export function createTradingEngine(parts: EngineParts): OwnEngine {
  return new GroupCommitEngine(parts)
}

class GroupCommitEngine implements OwnEngine {
  readonly #parts: EngineParts
  readonly #limits: EngineLimits
  readonly #queue: OrderQueue
  readonly #pipeline: Pipeline
  /** Orders in progress, by player and key. A repeat of an order in progress gets the same response. */
  readonly #inFlight = new Map<string, OrderInFlight>()
  /** The timer of the next timeout check, while any order waits. */
  #timeoutCheck: NodeJS.Timeout | null = null
  #closed = false

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#limits = parts.limits ?? ENGINE_LIMITS
    this.#queue = new OrderQueue(this.#limits)
    this.#pipeline = new Pipeline(parts, this.#queue, this.#limits)
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  get unanswered(): number {
    return this.#inFlight.size
  }

  submit<O extends Order>(order: O): Promise<ReceiptByKind[O['kind']]> {
    return this.#submit(order) as Promise<ReceiptByKind[O['kind']]>
  }

  async dryRun<O extends Order>(order: O): Promise<DryRun<O['kind']>> {
    if (this.#closed) throw new BusyError()
    this.#queue.assertRoom(order.userId)
    return (await dryRunOrder(this.#parts, order)) as DryRun<O['kind']>
  }

  async findPending(userId: UserId, requestKey: string): Promise<Order['kind'] | null> {
    return this.#inFlight.get(toPriorKey(userId, requestKey))?.order.kind ?? null
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pipeline.close()
    if (this.#timeoutCheck !== null) clearTimeout(this.#timeoutCheck)
  }

  async #submit(order: Order): Promise<Receipt> {
    if (this.#closed) throw new BusyError()
    const requestKey = order.requestKey ?? newRequestKey()
    const key = toPriorKey(order.userId, requestKey)
    for (let same = this.#inFlight.get(key); same !== undefined; same = this.#inFlight.get(key)) {
      if (computeFingerprint(same.order) === computeFingerprint(order)) {
        return { ...(await same.receipt), isRepeat: true }
      }
      await waitForOther(same)
      if (this.#closed) throw new BusyError()
    }
    const receipt = this.#enqueue(order, requestKey)
    this.#inFlight.set(key, { order, receipt, waiting: 0 })
    try {
      return await receipt
    } finally {
      this.#inFlight.delete(key)
    }
  }

  #enqueue(order: Order, requestKey: string): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      const nowMs = performance.now()
      let isAnswered = false
      const release = () => {
        if (!isAnswered) this.#queue.release(pending)
        isAnswered = true
      }
      const pending: PendingOrder = {
        order,
        requestKey,
        mayBeRepeat: order.requestKey !== undefined,
        notAfterMs: nowMs + this.#limits.beginMaxMs,
        queuedAtMs: nowMs,
        takenMs: 0,
        trace: order.trace ?? null,
        // Remove the order from the queue's count first, so that the caller's next order finds space in the queue.
        resolve: (receipt) => {
          release()
          resolve(receipt)
        },
        reject: (error) => {
          release()
          this.#parts.observer?.onRejected(error)
          reject(error)
        },
      }
      this.#queue.push(pending)
      this.#scheduleTimeoutCheck()
      this.#pipeline.wake()
    })
  }

  /**
   * Schedules the rejection of orders that waited too long. The engine needs this timer if the pipeline hangs because
   * the database does not respond.
   */
  #scheduleTimeoutCheck(): void {
    this.#timeoutCheck ??= setTimeout(() => {
      this.#timeoutCheck = null
      this.#pipeline.refuseBefore(performance.now() - this.#limits.waitMaxMs)
      if (!this.#pipeline.isIdle) this.#scheduleTimeoutCheck()
    }, this.#limits.waitMaxMs / 5)
  }
}

interface OrderInFlight {
  readonly order: Order
  readonly receipt: Promise<Receipt>
  /** Number of other orders with this key that wait for this order to end. */
  waiting: number
}

/** Max number of orders that wait for the same order in progress. */
const WAITING_MAX = 8

/**
 * Waits until another order with the same key has ended. Only the database knows to which order the key belongs,
 * because the order in progress may be rejected if an earlier order has the key. Throws `BusyError` if too many orders
 * wait.
 */
async function waitForOther(other: OrderInFlight): Promise<void> {
  if (other.waiting >= WAITING_MAX) throw new BusyError()
  other.waiting++
  await other.receipt.catch(() => undefined)
}

/**
 * Generates an idempotency key: a UUID of version 7 (RFC 9562, 5.7). Successive keys are neighbours in the index, so
 * few index pages change at a time. `randomUUID` is faster than the `uuid` package, because it buffers random bytes.
 */
export function newRequestKey(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Min number of receipts per turn of the event loop. With a lower number, reads are faster during bursts of orders. */
const PER_TURN_MIN = 3
/** Number of receipts per ms of the previous turn. After a long turn, more receipts resolve per turn. */
const PER_MS = 1

/**
 * Wraps an engine so that only a few receipts resolve per turn of the event loop. The engine responds to hundreds of
 * orders at once. If all receipts resolved in one turn, the responses and the next orders would delay every read.
 * Rejections are cheap, so they are not delayed.
 */
export function paceReceipts(engine: TradingEngine): TradingEngine {
  const pacer = new Pacer()
  return {
    submit: async <O extends Order>(order: O): Promise<ReceiptByKind[O['kind']]> => {
      const receipt = await engine.submit(order)
      const { trace } = order
      const startMs = trace === undefined ? 0 : performance.now()
      await pacer.pass()
      trace?.record({ name: 'pace', startMs, endMs: performance.now() })
      return receipt
    },
    dryRun: (order) => engine.dryRun(order),
    findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
    close: async () => {
      pacer.end()
      await engine.close()
    },
  }
}

/** Resolves waiting callers in order, a few per turn of the event loop. */
class Pacer {
  #passed = 0
  #turnedMs = 0
  #waiting: (() => void)[] = []
  #isTurning = false
  #isEnded = false

  async pass(): Promise<void> {
    if (this.#isEnded) return
    if (!this.#isTurning) {
      this.#isTurning = true
      this.#turnedMs = performance.now()
      setImmediate(() => this.#turn())
    }
    if (this.#passed < PER_TURN_MIN && this.#waiting.length === 0) this.#passed++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Resolves all callers at once from now on. */
  end(): void {
    this.#isEnded = true
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #turn(): void {
    const nowMs = performance.now()
    const max = Math.max(PER_TURN_MIN, Math.floor((nowMs - this.#turnedMs) * PER_MS))
    this.#turnedMs = nowMs
    const passing = this.#waiting.splice(0, max)
    this.#passed = passing.length
    this.#isTurning = passing.length > 0
    if (this.#isTurning) setImmediate(() => this.#turn())
    for (const resolve of passing) resolve()
  }
}
