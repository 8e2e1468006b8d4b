import { useRef } from 'react'
import { v7 as uuid } from 'uuid'
import { isOutcomeUnknown } from './failure.ts'

/** A fresh idempotency key: version 7, whose keys stand in the order of their making, which spares the server's index. */
export function newRequestKey(): string {
  return uuid()
}

/**
 * The idempotency key of a form's orders: the same order keeps its key until the server has plainly answered, so a
 * retry after a lost connection is never carried out twice; another order gets another key.
 */
export function useRequestKey() {
  const current = useRef<{ key: string; order: string } | null>(null)
  return {
    keyFor(order: unknown): string {
      const text = JSON.stringify(order)
      if (current.current?.order !== text) current.current = { key: newRequestKey(), order: text }
      return current.current.key
    },
    /** Tells how the call went: `null` for success. */
    answered(error: unknown): void {
      if (error === null || !isOutcomeUnknown(error)) current.current = null
    },
  }
}
