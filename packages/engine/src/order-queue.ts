import { performance } from 'node:perf_hooks'
import type { UserId } from '@papermoon/contract/ids'
import { BusyError, TooManyOrdersError } from './errors.ts'
import type { PendingOrder } from './pending-order.ts'

export interface QueueLimits {
  /** Max waiting orders of all players together. */
  readonly waitingMax: number
  /** Max orders of one player, waiting or being processed. */
  readonly perPlayerMax: number
}

/**
 * The orders that wait for a batch; bounded and fair. Each player has their own line and batches take one order per line in turn,
 * so a flood by one player delays only that player.
 */
export class OrderQueue {
  readonly #limits: QueueLimits
  /** Waiting orders by player. The map's order is that of their turns. */
  readonly #lines = new Map<UserId, PendingOrder[]>()
  /** Orders of each player, waiting or being processed. */
  readonly #inFlight = new Map<UserId, number>()
  #waiting = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Throws `TooManyOrdersError` (limit per player) or `BusyError` (overall limit) if an order would find no place. */
  assertRoom(userId: UserId): void {
    const { perPlayerMax, waitingMax } = this.#limits
    if ((this.#inFlight.get(userId) ?? 0) >= perPlayerMax) throw new TooManyOrdersError(perPlayerMax)
    if (this.#waiting >= waitingMax) throw new BusyError()
  }

  /** Adds an order. Throws `TooManyOrdersError` (limit per player) or `BusyError` (overall limit). */
  push(pending: PendingOrder): void {
    const { userId } = pending.order
    this.assertRoom(userId)
    const inFlight = this.#inFlight.get(userId) ?? 0
    const line = this.#lines.get(userId)
    if (line === undefined) this.#lines.set(userId, [pending])
    else line.push(pending)
    this.#inFlight.set(userId, inFlight + 1)
    this.#waiting++
  }

  /** Takes at most `max` orders, one of each waiting player in turn. They count as in flight until `settle`. */
  take(max: number): PendingOrder[] {
    const taken: PendingOrder[] = []
    const nowMs = performance.now()
    for (const [userId, line] of this.#lines) {
      if (taken.length >= max) break
      const next = line[0]
      if (next === undefined) continue
      next.takenMs = nowMs
      taken.push(next)
      line.shift()
      // Re-inserting moves the line to the end of the map, where this loop reaches it again.
      this.#lines.delete(userId)
      if (line.length > 0) this.#lines.set(userId, line)
    }
    this.#waiting -= taken.length
    return taken
  }

  /** Takes all orders queued before `momentMs` (monotonic clock). */
  takeOlderThan(momentMs: number): PendingOrder[] {
    const older: PendingOrder[] = []
    for (const [userId, line] of this.#lines) {
      // A line is sorted by time.
      while (line[0] !== undefined && line[0].queuedAtMs < momentMs) older.push(line.shift() as PendingOrder)
      if (line.length === 0) this.#lines.delete(userId)
    }
    this.#waiting -= older.length
    return older
  }

  /** Frees the place of an answered order. */
  settle({ order: { userId } }: PendingOrder): void {
    const inFlight = (this.#inFlight.get(userId) ?? 1) - 1
    if (inFlight === 0) this.#inFlight.delete(userId)
    else this.#inFlight.set(userId, inFlight)
  }
}
