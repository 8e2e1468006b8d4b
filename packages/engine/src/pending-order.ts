import { performance } from 'node:perf_hooks'
import type { OrderTrace } from './order-trace.ts'
import type { Order, ReceiptByKind } from './orders.ts'

export type Receipt = ReceiptByKind[Order['kind']]

/** An order inside the engine, with the callbacks of its caller. */
export interface PendingOrder {
  readonly order: Order
  /** The caller's idempotency key, or a generated one. */
  readonly requestKey: string
  /** False when the key was generated just now: no earlier order can have it. */
  readonly mayBeRepeat: boolean
  /** The engine declines to begin the order after this moment, in ms of the monotonic clock. Infinite: at any time. */
  readonly notAfterMs: number
  /** Arrival time in ms of the monotonic clock. */
  readonly queuedAtMs: number
  /** When its batch was taken from the queue, in ms of the monotonic clock; set by the queue. */
  takenMs: number
  /** Null unless the order is sampled. */
  readonly trace: OrderTrace | null
  resolve(receipt: Receipt): void
  reject(error: unknown): void
}

/** Whether the engine may not begin the order any more. */
export function isExpired({ notAfterMs }: PendingOrder): boolean {
  return notAfterMs !== Number.POSITIVE_INFINITY && notAfterMs < performance.now()
}

/** An order that is applied outside the queue: nobody waits for its answer. */
export function toUnqueued(order: Order, requestKey: string, mayBeRepeat: boolean): PendingOrder {
  const times = { notAfterMs: Number.POSITIVE_INFINITY, queuedAtMs: 0, takenMs: 0 }
  return { order, requestKey, mayBeRepeat, ...times, trace: null, resolve() {}, reject() {} }
}
