import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { v7 as uuid } from 'uuid'
import { readStored, store } from '../ui/stored.ts'
import { showToast } from '../ui/toasts.ts'
import { forgetPlayer, useCurrentUser } from './current-user.ts'
import { getReason, getRetryAfter, getSentence, isOutcomeUnknown, isSignedOut, NO_RESPONSE } from './failure.ts'

/** An order with its idempotency key, which the server executes only once even if the order is sent twice. */
export type Keyed<Order> = Order & { readonly requestId: string }

/** The texts for the player if an order fails. */
export interface OrderFailure {
  readonly title: string
  /** The message for a failure without a sentence from the server. */
  readonly fallback?: string
  /** The message if nobody knows whether the order was executed (default: the message of any other failure). */
  readonly unknown?: string
  /** Formats the numbers in the sentence from the server. */
  readonly format?: (sentence: string, reason: string | null) => string
}

interface OrderKind<Order extends object, Answer> {
  readonly call: (order: Keyed<Order>, options: { readonly signal: AbortSignal }) => Promise<Answer>
  /** `useOrder` calls this function after the server executed an order, even if the player has left the screen. */
  readonly onAnswer: (answer: Answer, order: Keyed<Order>) => void
  readonly failure: (order: Order) => OrderFailure
  /** `useOrder` calls this function after a failure, unless the session is over. */
  readonly onFailure?: (error: unknown, order: Order) => void
  /** Opens the login screen for a visitor without a session. */
  readonly askForLogin: (order: Order) => void
  /** Returns the order to repeat (default: the order as it was first sent). */
  readonly repeat?: (first: Keyed<Order>, order: Order) => Keyed<Order>
  /**
   * Key under which this tab stores the order. After a reload, a form can then repeat its order with the same
   * idempotency key.
   */
  readonly storedAs?: string
}

interface SendOptions<Answer> {
  /** Value that says whether two orders are equal (default: the order itself). */
  readonly asked?: unknown
  /** `useOrder` calls this function after the order was executed, unless the player has left the screen. */
  readonly onShown?: (answer: Answer) => void
}

/** An order that failed, and the text about it for the player. */
export interface FailedOrder<Order> {
  readonly order: Keyed<Order>
  readonly reason: string | null
  readonly sentence: string
  /**
   * Whether the order may have been executed. If the player then sends an equal order, it repeats this order with the
   * same key.
   */
  readonly isUnknown: boolean
}

/**
 * Sends a player's orders of one kind, one at a time. If an order's outcome is unknown, sends the order once more. An
 * equal order uses the same idempotency key until the server gives a definite response, so it is never executed twice.
 * Shows a toast for each failure. Guests, and players whose session is over, go to the login screen.
 */
export function useOrder<Order extends object, Answer>(kind: OrderKind<Order, Answer>) {
  const user = useCurrentUser()
  const key = useRequestKey<Order>(kind.storedAs)
  // Use a ref, because a double click is faster than a render.
  const isUnderWay = useRef(false)
  const { mutate, reset, ...state } = useMutation<Answer, unknown, Keyed<Order>>({
    mutationFn: (order) => repeatOnce(() => kind.call(order, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })),
    onSuccess: (answer, order) => {
      key.forget()
      kind.onAnswer(answer, order)
    },
    onError: (error, order) => {
      if (!mayRepeat(error) && !isRejectedEarly(error)) key.forget()
      if (isSignedOut(error)) {
        // Remove the user from the cache, because the login screen would otherwise redirect back.
        forgetPlayer()
        kind.askForLogin(order)
        return
      }
      const failure = kind.failure(order)
      const isUnknown = failure.unknown !== undefined && isOutcomeUnknown(error)
      showToast({
        title: isUnknown ? 'Result unknown' : failure.title,
        message: describeFailure(failure, error),
        kind: 'destructive',
      })
      kind.onFailure?.(error, order)
    },
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const send = (order: Order, { asked = order, onShown }: SendOptions<Answer> = {}) => {
    if (isUnderWay.current) return
    if (user === null) return kind.askForLogin(order)
    isUnderWay.current = true
    mutate(key.add(order, asked, kind.repeat), { onSuccess: (answer) => onShown?.(answer) })
  }
  const { status, variables: order, error } = state
  const failed: FailedOrder<Order> | null =
    status !== 'error' || isSignedOut(error)
      ? null
      : {
          order,
          reason: getReason(error),
          sentence: describeFailure(kind.failure(order), error),
          isUnknown: mayRepeat(error),
        }
  return {
    send,
    isBusy: status === 'pending',
    /** The last order's response, or null if that order was not executed. */
    answer: state.data ?? null,
    failed,
    /** Forgets the last order with its outcome and key. */
    forget: () => {
      key.forget()
      reset()
    },
  }
}

function describeFailure({ fallback = NO_RESPONSE, unknown, format }: OrderFailure, error: unknown): string {
  if (unknown !== undefined && isOutcomeUnknown(error)) return unknown
  const sentence = getSentence(error)
  if (sentence === null) return fallback
  return format === undefined ? sentence : format(sentence, getReason(error))
}

interface SentOrder<Order> {
  readonly asked: string
  readonly keyed: Keyed<Order>
}

/** Manages the idempotency key of the last order. An equal order gets the same key, until `forget` removes that key. */
function useRequestKey<Order extends object>(storedAs?: string) {
  const [stored] = useState(() => readSent<Order>(storedAs))
  const sent = useRef(stored)
  const set = (next: SentOrder<Order> | null) => {
    sent.current = next
    if (storedAs !== undefined) store(storedAs, next && JSON.stringify(next), 'sessionStorage')
  }
  const add = (order: Order, asked: unknown, repeat: OrderKind<Order, never>['repeat']): Keyed<Order> => {
    const text = JSON.stringify(asked)
    const first = sent.current?.asked === text ? sent.current.keyed : null
    if (first !== null) return repeat?.(first, order) ?? first
    // UUIDs of version 7 are ordered by time, so the server inserts them close together in its index.
    const keyed = { ...order, requestId: uuid() }
    set({ asked: text, keyed })
    return keyed
  }
  return { add, forget: () => set(null) }
}

function readSent<Order>(storedAs: string | undefined): SentOrder<Order> | null {
  try {
    return storedAs === undefined ? null : JSON.parse(readStored(storedAs, 'sessionStorage') ?? 'null')
  } catch {
    return null
  }
}

const ANSWER_WITHIN_MS = 15_000
const RETRY_AFTER_S = 1

/** Error codes of orders that the server rejected before processing them. */
const NOT_DONE: ReadonlySet<string> = new Set(['BUSY', 'DATABASE_AWAY'])

/**
 * Sends an order with its key, and sends it once more if its outcome is unknown or it was not processed. If both
 * attempts fail, throws the last error that says something about the order.
 */
export async function repeatOnce<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    if (!mayRepeat(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, (getRetryAfter(error) ?? RETRY_AFTER_S) * 1_000))
    return await send().catch((last: unknown) => {
      throw isOutcomeUnknown(error) && isRejectedEarly(last) && !isSignedOut(last) ? error : last
    })
  }
}

/**
 * Returns whether the server rejected a request before it looked up the key. Such a rejection does not say whether an
 * earlier attempt was executed.
 */
function isRejectedEarly(error: unknown): boolean {
  return isSignedOut(error) || getReason(error) === 'RATE_LIMITED'
}

/** Returns whether an order may be sent again with its key, because it was not executed or its outcome is unknown. */
export function mayRepeat(error: unknown): boolean {
  return isOutcomeUnknown(error) || NOT_DONE.has(getReason(error) ?? '')
}
