import { performance } from 'node:perf_hooks'
import type { OrderTrace } from './order-trace.ts'
import type { Order, ReceiptByKind } from './orders.ts'

export type Receipt = ReceiptByKind[Order['kind']]

/** An order in the engine, with its caller's callbacks. */
export interface PendingOrder {
  readonly order: Order
  /** The caller's idempotency key, or a generated key. */
  readonly requestKey: string
  /** Whether an earlier order can have the key, because the caller sent it. */
  readonly mayBeRepeat: boolean
  /**
   * Time after which the engine rejects the order instead of beginning it, in ms of the monotonic clock; Infinity for
   * no limit.
   */
  readonly notAfterMs: number
  /** Arrival time in ms of the monotonic clock. */
  readonly queuedAtMs: number
  /** Time when the queue gave the order to a batch, in ms of the monotonic clock. */
  takenMs: number
  /** The order's trace; null if the order is not sampled. */
  readonly trace: OrderTrace | null
  resolve(receipt: Receipt): void
  reject(error: unknown): void
}

/** Returns whether the order's time to begin has passed. */
export function isExpired({ notAfterMs }: PendingOrder): boolean {
  return notAfterMs !== Number.POSITIVE_INFINITY && notAfterMs < performance.now()
}

/** Wraps an order that has no caller and does not use the queue. */
export function toUnqueued(order: Order, requestKey: string, mayBeRepeat: boolean): PendingOrder {
  const times = { notAfterMs: Number.POSITIVE_INFINITY, queuedAtMs: 0, takenMs: 0 }
  return { order, requestKey, mayBeRepeat, ...times, trace: null, resolve() {}, reject() {} }
}
