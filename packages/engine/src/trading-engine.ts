import { performance } from 'node:perf_hooks'
import { BusyError, RequestKeyReusedError } from './errors.ts'
import { fingerprintOf } from './idempotency/fingerprint.ts'
import { priorKey } from './idempotency/prior-answers.ts'
import { newRequestKey } from './idempotency/request-key.ts'
import { OrderQueue, type QueueLimits } from './order-queue.ts'
import type { Order, OrderEntry, ReceiptOf } from './orders.ts'
import type { PendingOrder, Receipt } from './pending-order.ts'
import { Pipeline, type PipelineLimits, type PipelineParts } from './pipeline/pipeline.ts'

/** Bounds of the engine. */
export type EngineLimits = QueueLimits & PipelineLimits

export const ENGINE_LIMITS: EngineLimits = { waitingMax: 4_096, perPlayerMax: 8, batchMax: 512, waitMaxMs: 5_000 }

type EngineParts = PipelineParts & { readonly limits?: EngineLimits }

export interface TradingEngine extends OrderEntry {
  /** Refuses further orders and resolves once the pending ones are answered. */
  close(): Promise<void>
}

/**
 * The trading engine: group commit. Orders wait in a fair queue while batches are being written; then the next
 * batch takes them all. Under load a transaction's cost is shared by hundreds of orders; alone, an order waits for nobody.
 * Nothing is authoritative in memory, so any number of processes may do this on one database.
 */
export function createTradingEngine(parts: EngineParts): TradingEngine {
  return new GroupCommitEngine(parts)
}

class GroupCommitEngine implements TradingEngine {
  readonly #limits: EngineLimits
  readonly #queue: OrderQueue
  readonly #pipeline: Pipeline
  /** Orders under way by player and key: their repeats wait for the same answer. */
  readonly #underWay = new Map<string, { order: Order; answer: Promise<Receipt> }>()
  /** Looks for orders that wait too long, as long as any waits. */
  #watching: NodeJS.Timeout | null = null
  #closed = false

  constructor(parts: EngineParts) {
    this.#limits = parts.limits ?? ENGINE_LIMITS
    this.#queue = new OrderQueue(this.#limits)
    this.#pipeline = new Pipeline(parts, this.#queue, this.#limits)
  }

  submit<O extends Order>(order: O): Promise<ReceiptOf[O['kind']]> {
    return this.#submit(order) as Promise<ReceiptOf[O['kind']]>
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pipeline.close()
    if (this.#watching !== null) clearTimeout(this.#watching)
  }

  async #submit(order: Order): Promise<Receipt> {
    if (this.#closed) throw new BusyError()
    const requestKey = order.requestKey ?? newRequestKey()
    const key = priorKey(order.userId, requestKey)
    const same = this.#underWay.get(key)
    if (same !== undefined) {
      if (fingerprintOf(same.order) !== fingerprintOf(order)) throw new RequestKeyReusedError()
      return same.answer
    }
    const answer = this.#enqueue(order, requestKey)
    this.#underWay.set(key, { order, answer })
    try {
      return await answer
    } finally {
      this.#underWay.delete(key)
    }
  }

  #enqueue(order: Order, requestKey: string): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      let isAnswered = false
      const settle = () => {
        if (!isAnswered) this.#queue.settle(pending)
        isAnswered = true
      }
      const pending: PendingOrder = {
        order,
        requestKey,
        mayBeRepeat: order.requestKey !== undefined,
        queuedAtMs: performance.now(),
        // Settled before the caller hears: whoever answers an answer with an order finds a free place.
        resolve: (receipt) => {
          settle()
          resolve(receipt)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      this.#queue.push(pending)
      this.#watch()
      this.#pipeline.wake()
    })
  }

  /** Refuses in time what no batch takes in time, though the database does not answer. */
  #watch(): void {
    this.#watching ??= setTimeout(() => {
      this.#watching = null
      this.#pipeline.refuseBefore(performance.now() - this.#limits.waitMaxMs)
      if (!this.#pipeline.isIdle) this.#watch()
    }, this.#limits.waitMaxMs / 5)
  }
}
