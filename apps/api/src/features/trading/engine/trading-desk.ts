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
import { Lane } from './lane.ts'
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
  /** Told after each commit, in the commit order of each token and each player. */
  publish(events: readonly MarketEvent[]): void
  readonly limits?: DeskLimits
}

/** A desk that can be closed: it takes no more orders and answers those it has. */
export type ClosableDesk = TradingDesk & { close(): Promise<void> }

/**
 * The trading engine: group commit. Orders wait in a fair queue while batches are being written; then the next
 * batch takes them all. Under load a transaction's cost is shared by hundreds of orders; alone, an order waits for nobody.
 * Nothing is authoritative in memory, so any number of processes may do this on one database.
 */
export function createTradingDesk(parts: DeskParts): ClosableDesk {
  return new GroupCommitDesk(parts)
}

/**
 * Batches under way at once: while PostgreSQL works on one, this process works on the other. No two of them touch the same token or
 * player, so each token's and each player's orders keep their order, and a batch never waits for the other's locks.
 */
const LANES = 2

class GroupCommitDesk implements ClosableDesk {
  readonly #limits: DeskLimits
  readonly #queue: OrderQueue
  readonly #lanes: readonly Lane[]
  /** Orders under way by player and key: their repeats wait for the same answer. */
  readonly #underWay = new Map<string, { fingerprint: string; answer: Promise<Receipt> }>()
  /** Looks for orders that wait too long, as long as any waits. */
  #watching: NodeJS.Timeout | null = null
  #closed = false

  constructor(parts: DeskParts) {
    this.#limits = parts.limits ?? DESK_LIMITS
    this.#queue = new OrderQueue(this.#limits)
    this.#lanes = Array.from({ length: LANES }, () => new Lane(new BatchRunner(parts)))
  }

  submit<O extends Order>(order: O): Promise<ReceiptOf[O['kind']]> {
    return this.#submit(order) as Promise<ReceiptOf[O['kind']]>
  }

  async close(): Promise<void> {
    this.#closed = true
    // The end of a batch may set the other lane to work again.
    while (this.#lanes.some(({ working }) => working !== null)) {
      await Promise.all(this.#lanes.map(({ working }) => working))
    }
    for (const lane of this.#lanes) await lane.close()
    if (this.#watching !== null) clearTimeout(this.#watching)
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
      this.#watch()
      this.#wakeFor(order)
    })
  }

  /** The lane of an order's token, and the others where that one is busy with other tokens or has no connection. */
  #wakeFor(order: Order): void {
    const usual = this.#usualLane(order)
    this.#wake(usual)
    if (usual.isWriting ? !usual.holds(order) : !usual.isConnected) this.#wakeOthers(usual)
  }

  #wakeOthers(lane: Lane): void {
    for (const other of this.#lanes) if (other !== lane) this.#wake(other)
  }

  #wake(lane: Lane): void {
    lane.working ??= this.#writeAll(lane)
  }

  /** Writes batch after batch until there is nothing that this lane may take. */
  async #writeAll(lane: Lane): Promise<void> {
    try {
      for (;;) {
        // Orders that arrive in the same turn of the event loop belong in one batch, those of whoever was just answered too.
        await new Promise(setImmediate)
        const isConnected = await lane.connect()
        // Its orders are for who can write them; where nobody can, they are told so.
        if (!isConnected && this.#lanes.some((other) => other.isConnected)) break
        this.#refuseBefore(isConnected ? performance.now() - this.#limits.waitMaxMs : Number.POSITIVE_INFINITY)
        const tickets = this.#take(lane)
        if (tickets.length === 0) break
        await lane.write(tickets)
        // Orders of its tokens and players may have waited for this.
        this.#wakeOthers(lane)
      }
    } finally {
      lane.working = null
    }
  }

  /** Never what another lane's batch holds, and not the orders that a lane which is free is about to take itself. */
  #take(lane: Lane): Ticket[] {
    const others = this.#lanes.filter((other) => other !== lane)
    const isFree = ({ order }: Ticket) =>
      others.every((other) => {
        if (other.isWriting) return !other.holds(order)
        return !other.isConnected || this.#usualLane(order) === lane
      })
    return this.#queue.take(this.#limits.batchMax, isFree)
  }

  /** Half of the tokens each, so that batches begin alike in size. */
  #usualLane(order: Order): Lane {
    const key = order.kind === 'launch' ? order.userId : order.tokenId
    return this.#lanes[key % LANES] as Lane
  }

  #refuseBefore(momentMs: number): void {
    for (const ticket of this.#queue.takeOlder(momentMs)) ticket.reject(new BusyError())
  }

  /** Refuses in time what no batch takes in time, though every lane may wait for a database that does not answer. */
  #watch(): void {
    this.#watching ??= setTimeout(() => {
      this.#watching = null
      this.#refuseBefore(performance.now() - this.#limits.waitMaxMs)
      if (this.#queue.waiting > 0) this.#watch()
    }, this.#limits.waitMaxMs / 5)
  }
}
