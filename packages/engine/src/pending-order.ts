import type { Order, ReceiptOf } from './orders.ts'

export type Receipt = ReceiptOf[Order['kind']]

/** An order in the engine: what is asked, under which key, and who waits for the answer. */
export interface PendingOrder {
  readonly order: Order
  /** The caller's idempotency key, or one the engine made. */
  readonly requestKey: string
  /** False for a key the engine made just now: no earlier order can have it. */
  readonly mayBeRepeat: boolean
  /** When it came, in ms of the monotonic clock. */
  readonly queuedAtMs: number
  resolve(receipt: Receipt): void
  reject(error: unknown): void
}
