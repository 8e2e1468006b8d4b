/** An order in the engine: pending, in the queue, and its outcome with the times for metrics. */

import { performance } from 'node:perf_hooks'
import type { UserId } from '@papermoon/contract/ids'
import { BusyError, type DomainError, TooManyOrdersError } from './errors.ts'
import type { Order, OrderTrace, ReceiptByKind } from './orders.ts'

export type Receipt = ReceiptByKind[Order['kind']]

/** An order in the engine, with its caller's callbacks. */
export interface PendingOrder {
  readonly order: Order
  /** The caller's idempotency key, or a generated key. */
  readonly requestKey: string
  /** Whether the caller sent the key. Only a key that the caller sent can belong to an earlier order. */
  readonly mayBeRepeat: boolean
  /**
   * Time after which the engine rejects the order instead of beginning it, in ms of the monotonic clock. The value
   * Infinity means no limit.
   */
  readonly notAfterMs: number
  /** Arrival time in ms of the monotonic clock. */
  readonly queuedAtMs: number
  /** Time when the queue gave the order to a batch, in ms of the monotonic clock. */
  takenMs: number
  /** The order's trace, or null if the order is not sampled. */
  readonly trace: OrderTrace | null
  resolve(receipt: Receipt): void
  reject(error: unknown): void
}

/** An order's result in a batch. */
export type Outcome =
  | { readonly pending: PendingOrder; readonly receipt: Receipt }
  | { readonly pending: PendingOrder; readonly refusal: DomainError }

/** Returns whether it is too late for the order to begin. */
export function isExpired({ notAfterMs }: PendingOrder): boolean {
  return notAfterMs !== Number.POSITIVE_INFINITY && notAfterMs < performance.now()
}

/** Creates a pending order for an order that has no caller and does not go through the queue. */
export function toUnqueued(order: Order, requestKey: string, mayBeRepeat: boolean): PendingOrder {
  const times = { notAfterMs: Number.POSITIVE_INFINITY, queuedAtMs: 0, takenMs: 0 }
  return { order, requestKey, mayBeRepeat, ...times, trace: null, resolve() {}, reject() {} }
}

export interface QueueLimits {
  /** Max number of waiting orders of all players together. */
  readonly waitingMax: number
  /** Max number of orders per player, waiting or in progress. */
  readonly perPlayerMax: number
}

/**
 * A bounded, fair queue of orders. Each player has a line, and a batch takes one order from each line in turn. Because
 * of these turns, a player who sends many orders does not delay others. A batch takes low-priority orders only if there
 * is space left.
 */
export class OrderQueue {
  readonly #limits: QueueLimits
  /** Waiting orders by player, in the order of the players' turns. */
  readonly #lines = new Map<UserId, PendingOrder[]>()
  /** Waiting low-priority orders by player. */
  readonly #lastLines = new Map<UserId, PendingOrder[]>()
  /** Number of each player's orders, waiting or in progress. */
  readonly #inFlight = new Map<UserId, number>()
  #waiting = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Throws `TooManyOrdersError` (limit per player) or `BusyError` (limit for all) if the queue cannot take another
   * order.
   */
  assertRoom(userId: UserId): void {
    const { perPlayerMax, waitingMax } = this.#limits
    if ((this.#inFlight.get(userId) ?? 0) >= perPlayerMax) throw new TooManyOrdersError(perPlayerMax)
    if (this.#waiting >= waitingMax) throw new BusyError()
  }

  /** Adds an order. Throws `TooManyOrdersError` (limit per player) or `BusyError` (limit for all). */
  push(pending: PendingOrder): void {
    const { userId, waitsForOthers } = pending.order
    this.assertRoom(userId)
    const inFlight = this.#inFlight.get(userId) ?? 0
    const lines = waitsForOthers ? this.#lastLines : this.#lines
    const line = lines.get(userId)
    if (line === undefined) lines.set(userId, [pending])
    else line.push(pending)
    this.#inFlight.set(userId, inFlight + 1)
    this.#waiting++
  }

  /**
   * Takes at most `max` orders, one per player in turn. The taken orders count as in progress until `release`. Skips a
   * line while `isPassedOver` is true for its first order.
   */
  take(max: number, isPassedOver: (pending: PendingOrder) => boolean = () => false): PendingOrder[] {
    const taken: PendingOrder[] = []
    for (const lines of [this.#lines, this.#lastLines]) takeTurns(lines, { max, isPassedOver }, taken)
    this.#waiting -= taken.length
    return taken
  }

  /** Puts orders back at the front of their lines, for a later batch. */
  putBack(orders: readonly PendingOrder[]): void {
    for (const pending of orders.toReversed()) {
      const { userId, waitsForOthers } = pending.order
      const lines = waitsForOthers ? this.#lastLines : this.#lines
      lines.set(userId, [pending, ...(lines.get(userId) ?? [])])
    }
    this.#waiting += orders.length
  }

  /** Takes all orders that were queued before `beforeMs` (monotonic clock). */
  takeOlderThan(beforeMs: number): PendingOrder[] {
    const older: PendingOrder[] = []
    for (const lines of [this.#lines, this.#lastLines]) {
      for (const [userId, line] of lines) {
        // Look only at the start of each line, because it is sorted by time.
        while (line[0] !== undefined && line[0].queuedAtMs < beforeMs) older.push(line.shift() as PendingOrder)
        if (line.length === 0) lines.delete(userId)
      }
    }
    this.#waiting -= older.length
    return older
  }

  /** Lets the player queue another order, after the engine has responded to one. */
  release({ order: { userId } }: PendingOrder): void {
    const inFlight = (this.#inFlight.get(userId) ?? 1) - 1
    if (inFlight === 0) this.#inFlight.delete(userId)
    else this.#inFlight.set(userId, inFlight)
  }
}

/** Moves up to `max` orders from `lines` to `taken`, one per line in turn. */
function takeTurns(
  lines: Map<UserId, PendingOrder[]>,
  { max, isPassedOver }: { readonly max: number; isPassedOver(pending: PendingOrder): boolean },
  taken: PendingOrder[],
): void {
  const nowMs = performance.now()
  for (const [userId, line] of lines) {
    if (taken.length >= max) return
    const next = line[0]
    if (next === undefined || isPassedOver(next)) continue
    next.takenMs = nowMs
    taken.push(next)
    line.shift()
    // Insert the line again at the end of the map, so that this loop reaches it again.
    lines.delete(userId)
    if (line.length > 0) lines.set(userId, line)
  }
}

/** The times when a batch was sent to PostgreSQL and committed, in ms of the monotonic clock. */
export interface BatchTimes {
  readonly mode: 'optimistic' | 'locked'
  /** Time when the batch was sent to PostgreSQL, or null if no order changed anything. */
  readonly sentMs: number | null
  readonly endMs: number
}

export interface BatchFigures {
  readonly mode: BatchTimes['mode']
  readonly orders: number
  /** Number of orders that the engine rejected because they broke a rule. */
  readonly refused: number
  /** Longest time that an order waited in the queue, in seconds. */
  readonly queueSeconds: number
  /** How long PostgreSQL took for the batch, including the commit, in seconds, or null if nothing was written. */
  readonly commitSeconds: number | null
}

/** Callbacks for metrics about an engine. These callbacks must not throw. */
export interface EngineObserver {
  /** Called for each batch that was committed or had nothing to write. */
  onBatch(figures: BatchFigures): void
  /** Called for each failed order. */
  onRejected(error: unknown): void
}

export function toBatchFigures(outcomes: readonly Outcome[], { mode, sentMs, endMs }: BatchTimes): BatchFigures {
  let refused = 0
  let queueMs = 0
  for (const outcome of outcomes) {
    if ('refusal' in outcome) refused++
    const { queuedAtMs, takenMs } = outcome.pending
    if (takenMs - queuedAtMs > queueMs) queueMs = takenMs - queuedAtMs
  }
  return {
    mode,
    orders: outcomes.length,
    refused,
    queueSeconds: queueMs / 1_000,
    commitSeconds: sentMs === null ? null : (endMs - sentMs) / 1_000,
  }
}

/** Records the steps of the batch's traced orders, after the batch's events were published. */
export function recordSteps(outcomes: readonly Outcome[], { mode, sentMs, endMs }: BatchTimes): void {
  for (const outcome of outcomes) {
    const { trace, queuedAtMs, takenMs } = outcome.pending
    if (trace === null) continue
    const attributes = { 'papermoon.batch.orders': outcomes.length, 'papermoon.batch.mode': mode }
    trace.record({ name: 'queue', startMs: queuedAtMs, endMs: takenMs })
    trace.record({ name: 'batch', startMs: takenMs, endMs: sentMs ?? endMs, attributes })
    if (sentMs !== null) trace.record({ name: 'commit', startMs: sentMs, endMs })
    if (sentMs === null || 'refusal' in outcome) continue
    // Publishing has queued a microtask that writes to sockets and event streams. That microtask runs before the one
    // that is queued here.
    const startMs = performance.now()
    queueMicrotask(() => trace.record({ name: 'events', startMs, endMs: performance.now() }))
  }
}
