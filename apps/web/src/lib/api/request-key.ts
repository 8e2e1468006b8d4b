import { useRef, useState } from 'react'
import { v7 as uuid } from 'uuid'
import { readStored, store } from '../ui/stored.ts'
import { isOutcomeUnknown } from './failure.ts'

/**
 * Creates an idempotency key. UUIDs of version 7 are ordered by time, so inserts into the server's index stay close
 * together.
 */
export function newRequestKey(): string {
  return uuid()
}

/**
 * Manages the idempotency key of a form's orders. An order keeps its key until the server gives a definite response, so
 * a retry after a lost connection never executes it twice. A different order gets another key. With `storedAs`, the tab
 * stores the key for retries after a reload.
 */
export function useRequestKey(storedAs?: string) {
  const [stored] = useState(() => readSent(storedAs))
  const current = useRef(stored)
  const set = (sent: SentOrder | null) => {
    current.current = sent
    if (storedAs !== undefined) store(storedAs, sent && JSON.stringify(sent), 'sessionStorage')
  }
  const keep = <Order extends object>(order: Order, asked: unknown = order): Order & { requestId: string } => {
    const text = JSON.stringify(asked)
    if (current.current?.asked !== text) set({ asked: text, keyed: { ...order, requestId: newRequestKey() } })
    return current.current?.keyed as Order & { requestId: string }
  }
  return {
    /** Returns the order as it was first sent. By default, `asked` decides whether two orders are equal. */
    keep,
    /** Records the outcome of the request; `null` means success. */
    answered(error: unknown): void {
      if (error === null || !isOutcomeUnknown(error)) set(null)
    },
  }
}

interface SentOrder {
  readonly asked: string
  readonly keyed: object
}

function readSent(storedAs: string | undefined): SentOrder | null {
  try {
    return storedAs === undefined ? null : JSON.parse(readStored(storedAs, 'sessionStorage') ?? 'null')
  } catch {
    return null
  }
}
