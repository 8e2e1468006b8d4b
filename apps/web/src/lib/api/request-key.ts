import { useRef } from 'react'
import { v7 as uuid } from 'uuid'
import { isOutcomeUnknown } from './failure.ts'

/** A new idempotency key. UUID version 7 is ordered by time, which keeps inserts into the server's index local. */
export function newRequestKey(): string {
  return uuid()
}

/**
 * The idempotency key for a form's orders. The same order keeps its key until the server has given a definite answer,
 * so that a retry after a lost connection never executes it twice. A different order gets a new key.
 */
export function useRequestKey() {
  const current = useRef<{ asked: string; keyed: object } | null>(null)
  const keep = <Order extends object>(order: Order, asked: unknown = order): Order & { requestId: string } => {
    const text = JSON.stringify(asked)
    if (current.current?.asked !== text) {
      current.current = { asked: text, keyed: { ...order, requestId: newRequestKey() } }
    }
    return current.current.keyed as Order & { requestId: string }
  }
  return {
    /** The order as it was sent first: where its figures follow the price, `asked` says what makes two orders the same. */
    keep,
    /** Reports the call's outcome; `null` for success. */
    answered(error: unknown): void {
      if (error === null || !isOutcomeUnknown(error)) current.current = null
    },
  }
}
