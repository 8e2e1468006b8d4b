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
  const current = useRef<{ key: string; order: string } | null>(null)
  return {
    keyFor(order: unknown): string {
      const text = JSON.stringify(order)
      if (current.current?.order !== text) current.current = { key: newRequestKey(), order: text }
      return current.current.key
    },
    /** Reports the call's outcome; `null` for success. */
    answered(error: unknown): void {
      if (error === null || !isOutcomeUnknown(error)) current.current = null
    },
  }
}
