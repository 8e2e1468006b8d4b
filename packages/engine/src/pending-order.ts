import type { Order, ReceiptByKind } from './orders.ts'

export type Receipt = ReceiptByKind[Order['kind']]

/** An order inside the engine, with the callbacks of its caller. */
export interface PendingOrder {
  readonly order: Order
  /** The caller's idempotency key, or a generated one. */
  readonly requestKey: string
  /** False when the key was generated just now: no earlier order can have it. */
  readonly mayBeRepeat: boolean
  /** Arrival time in ms of the monotonic clock. */
  readonly queuedAtMs: number
  resolve(receipt: Receipt): void
  reject(error: unknown): void
}
