import { useRef } from 'react'
import { isOutcomeUnknown } from './failure.ts'

const BYTES = 16

/** A fresh idempotency key. */
export function newRequestKey(): string {
  // Only pages that came over TLS or from this machine have randomUUID.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
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
