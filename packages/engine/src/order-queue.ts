import { BusyError, TooManyOrdersError } from './errors.ts'
import type { UserId } from './ids.ts'
import type { PendingOrder } from './pending-order.ts'

export interface QueueLimits {
  /** Most orders waiting, of all players together. */
  readonly waitingMax: number
  /** Most orders of one player waiting or being written. */
  readonly perPlayerMax: number
}

/**
 * The orders that wait for the next batch: bounded, and fair. Each player has a line of their own and the
 * lines are drained in turns, so a flood by one player delays only that player.
 */
export class OrderQueue {
  readonly #limits: QueueLimits
  /** Players with waiting orders, in the order of their turns. */
  readonly #lines = new Map<UserId, PendingOrder[]>()
  readonly #underWay = new Map<UserId, number>()
  #waiting = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Adds an order. Throws `TooManyOrdersError` (this player's bound) or `BusyError` (everybody's). */
  push(pending: PendingOrder): void {
    const { userId } = pending.order
    const underWay = this.#underWay.get(userId) ?? 0
    if (underWay >= this.#limits.perPlayerMax) throw new TooManyOrdersError(this.#limits.perPlayerMax)
    if (this.#waiting >= this.#limits.waitingMax) throw new BusyError()
    const line = this.#lines.get(userId)
    if (line === undefined) this.#lines.set(userId, [pending])
    else line.push(pending)
    this.#underWay.set(userId, underWay + 1)
    this.#waiting++
  }

  /**
   * Takes at most `most` orders, one of each waiting player in turn; they stay under way until `settle`.
   */
  take(most: number): PendingOrder[] {
    const taken: PendingOrder[] = []
    for (const [userId, line] of this.#lines) {
      if (taken.length >= most) break
      const next = line[0]
      if (next === undefined) continue
      taken.push(next)
      line.shift()
      // A player's line moves to the end after each turn, where this loop meets it again.
      this.#lines.delete(userId)
      if (line.length > 0) this.#lines.set(userId, line)
    }
    this.#waiting -= taken.length
    return taken
  }

  /** Takes what was queued before `momentMs`, whoever waits for it. */
  takeOlder(momentMs: number): PendingOrder[] {
    const older: PendingOrder[] = []
    for (const [userId, line] of this.#lines) {
      // A line is in the order of time.
      while (line[0] !== undefined && line[0].queuedAtMs < momentMs) older.push(line.shift() as PendingOrder)
      if (line.length === 0) this.#lines.delete(userId)
    }
    this.#waiting -= older.length
    return older
  }

  /** An order was answered: its player may send another. */
  settle({ order: { userId } }: PendingOrder): void {
    const underWay = (this.#underWay.get(userId) ?? 1) - 1
    if (underWay === 0) this.#underWay.delete(userId)
    else this.#underWay.set(userId, underWay)
  }
}
