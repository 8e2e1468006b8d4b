import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../../../clock.ts'
import type { MarketEvent } from '../../../events/event.ts'
import type { Order, ReceiptOf, TradingDesk } from '../../../orders.ts'
import { BusyError, RequestKeyReusedError } from '../errors.ts'
import { BatchRunner } from './batch-runner.ts'
import { fingerprintOf } from './fingerprint.ts'
import { OrderQueue } from './order-queue.ts'
import type { Receipt, Ticket } from './ticket.ts'

/** Bounds of the engine. */
export interface DeskLimits {
  /** Most orders waiting; more are refused with 503. */
  readonly waitingMax: number
  /** Most orders of one player under way. */
  readonly perPlayerMax: number
  /** Most orders of one transaction. */
  readonly batchMax: number
  /** An order that waited longer is refused instead of done late. */
  readonly waitMaxMs: number
}

export const DESK_LIMITS: DeskLimits = { waitingMax: 4_096, perPlayerMax: 8, batchMax: 512, waitMaxMs: 5_000 }

export interface DeskParts {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly log: Logger
  /** Told after each commit, in commit order. */
  publish(events: readonly MarketEvent[]): void
  readonly limits?: DeskLimits
}

/** A desk that can be closed: it takes no more orders and answers those it has. */
export type ClosableDesk = TradingDesk & { close(): Promise<void> }

/**
 * The trading engine: group commit. Orders wait in a fair queue while one batch is being written; then the next
 * batch takes all of them. Under load a transaction's cost is shared by hundreds of orders; alone, an order waits for nobody.
 * Nothing is authoritative in memory, so any number of processes may do this on one database.
 */
export function createTradingDesk(parts: DeskParts): ClosableDesk {
  return new GroupCommitDesk(parts)
}

class GroupCommitDesk implements ClosableDesk {
  readonly #limits: DeskLimits
  readonly #queue: OrderQueue
  readonly #runner: BatchRunner
  /** Orders under way by player and key: their repeats wait for the same answer. */
  readonly #underWay = new Map<string, { fingerprint: string; answer: Promise<Receipt> }>()
  #writing: Promise<void> | null = null
  #closed = false

  constructor(parts: DeskParts) {
    this.#limits = parts.limits ?? DESK_LIMITS
    this.#queue = new OrderQueue(this.#limits)
    this.#runner = new BatchRunner(parts)
  }

  submit<O extends Order>(order: O): Promise<ReceiptOf[O['kind']]> {
    return this.#submit(order) as Promise<ReceiptOf[O['kind']]>
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#writing
    await this.#runner.close()
  }

  async #submit(order: Order): Promise<Receipt> {
    if (this.#closed) throw new BusyError()
    const requestKey = order.requestKey ?? randomUUID()
    const fingerprint = fingerprintOf(order)
    const key = `${order.userId}:${requestKey}`
    const same = this.#underWay.get(key)
    if (same !== undefined) {
      if (same.fingerprint !== fingerprint) throw new RequestKeyReusedError()
      return same.answer
    }
    const answer = this.#enqueue(order, requestKey, fingerprint)
    this.#underWay.set(key, { fingerprint, answer })
    try {
      return await answer
    } finally {
      this.#underWay.delete(key)
    }
  }

  #enqueue(order: Order, requestKey: string, fingerprint: string): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      const ticket: Ticket = {
        order,
        requestKey,
        mayBeRepeat: order.requestKey !== undefined,
        fingerprint,
        queuedAtMs: performance.now(),
        // Settled before the caller hears: whoever answers an answer with an order finds a free place.
        resolve: (receipt) => {
          this.#queue.settle(ticket)
          resolve(receipt)
        },
        reject: (error) => {
          this.#queue.settle(ticket)
          reject(error)
        },
      }
      this.#queue.push(ticket)
      this.#writing ??= this.#writeAll()
    })
  }

  /** Writes batch after batch until nobody waits. */
  async #writeAll(): Promise<void> {
    // Orders that arrive in the same turn of the event loop belong in the first batch.
    await new Promise(setImmediate)
    while (this.#queue.waiting > 0) {
      const tickets = this.#queue.take(this.#limits.batchMax)
      const [fresh, late] = this.#split(tickets)
      for (const ticket of late) ticket.reject(new BusyError())
      if (fresh.length > 0) await this.#runner.run(fresh)
    }
    this.#writing = null
  }

  #split(tickets: readonly Ticket[]): [fresh: Ticket[], late: Ticket[]] {
    const oldestMs = performance.now() - this.#limits.waitMaxMs
    const fresh = tickets.filter((ticket) => ticket.queuedAtMs >= oldestMs)
    return [fresh, tickets.filter((ticket) => ticket.queuedAtMs < oldestMs)]
  }
}
