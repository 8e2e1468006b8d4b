import { performance } from 'node:perf_hooks'
import type { OrderTrace } from './order-trace.ts'
import type { Order, ReceiptByKind } from './orders.ts'

export type Receipt = ReceiptByKind[Order['kind']]

/** An order in the engine, with its caller's callbacks. */
export interface PendingOrder {
  readonly order: Order
  /** The caller's idempotency key, or a generated one. */
  readonly requestKey: string
  /** False if the engine just generated the key, so that no earlier order can have it. */
  readonly mayBeRepeat: boolean
  /**
   * Time after which the engine rejects the order instead of beginning it, in ms of the monotonic clock. Infinity means
   * no limit.
   */
  readonly notAfterMs: number
  /** Arrival time in ms of the monotonic clock. */
  readonly queuedAtMs: number
  /** Time when the queue handed the order to its batch, in ms of the monotonic clock. The queue sets it. */
  takenMs: number
  /** The order's trace; null unless the order is sampled. */
  readonly trace: OrderTrace | null
  resolve(receipt: Receipt): void
  reject(error: unknown): void
}

/** Returns whether it is too late to begin the order. */
export function isExpired({ notAfterMs }: PendingOrder): boolean {
  return notAfterMs !== Number.POSITIVE_INFINITY && notAfterMs < performance.now()
}

/** Wraps an order that is applied outside the queue, without a caller. */
export function toUnqueued(order: Order, requestKey: string, mayBeRepeat: boolean): PendingOrder {
  const times = { notAfterMs: Number.POSITIVE_INFINITY, queuedAtMs: 0, takenMs: 0 }
  return { order, requestKey, mayBeRepeat, ...times, trace: null, resolve() {}, reject() {} }
}
