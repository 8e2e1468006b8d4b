import { useRef, useState } from 'react'
import { v7 as uuid } from 'uuid'
import { readStored, store } from '../ui/stored.ts'
import { isOutcomeUnknown } from './failure.ts'

/** A new idempotency key. UUID version 7 is ordered by time, which keeps inserts into the server's index local. */
export function newRequestKey(): string {
  return uuid()
}

/**
 * The idempotency key for a form's orders. The same order keeps its key until the server has given a definite answer,
 * so that a retry after a lost connection never executes it twice. A different order gets a new key. With `storedAs` the
 * tab stores the key: a form that survives a reload needs the same of its key.
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
    /** The order as it was sent first: where its figures follow the price, `asked` says what makes two orders the same. */
    keep,
    /** Reports the call's outcome; `null` for success. */
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
