import { SERVER_BACKOFF, toPauseMs } from '../lib/backoff.ts'
import { type Failure, isLockedOut, isTemporary, toFailure } from '../lib/failure.ts'
import { pause } from '../lib/pause.ts'

/** An attempt without an answer for this long counts as unknown. */
const ANSWER_MAX_MS = 10_000

/** Temporary refusals by which the server says that it did not place the order. */
const NOT_PLACED: ReadonlySet<string> = new Set(['BUSY', 'RATE_LIMITED', 'TOO_MANY_ORDERS'])

export type OrderOutcome<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer; readonly attempts: number }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly attempts: number }
  /** Closed before the outcome was known: the order may be placed or not. */
  | { readonly kind: 'unknown'; readonly failure: Failure; readonly attempts: number }

export interface SendOptions {
  /** Ends the repeating. */
  readonly signal: AbortSignal
  /** In [0, 1), for the jitter. */
  readonly random: () => number
  readonly onRepeat?: (failure: Failure, attempts: number) => void
}

/**
 * Sends an order until its outcome is known. `attempt` must send the same order with the same idempotency key each time.
 * An order that the server refused, or did not take, is not repeated. One that may have been placed is, with growing
 * pauses: by then the server either says what came of it or places it, once.
 */
export async function sendOrder<Answer>(
  attempt: (signal: AbortSignal) => Promise<Answer>,
  { signal, random, onRepeat }: SendOptions,
): Promise<OrderOutcome<Answer>> {
  let mayBePlaced = false
  for (let attempts = 1; ; attempts++) {
    const failure = await attempt(AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MAX_MS)])).then(
      (answer) => ({ answer }),
      toFailure,
    )
    if ('answer' in failure) return { kind: 'done', answer: failure.answer, attempts }
    if (isFinal(failure, mayBePlaced)) return { kind: 'refused', failure, attempts }
    mayBePlaced ||= failure.reason === null || !NOT_PLACED.has(failure.reason)
    if (signal.aborted) return { kind: 'unknown', failure, attempts }
    onRepeat?.(failure, attempts)
    const leastMs = (failure.retryAfterS ?? 0) * 1_000
    await pause(Math.max(leastMs, toPauseMs(SERVER_BACKOFF, attempts - 1, random())), signal)
    if (signal.aborted) return { kind: 'unknown', failure, attempts }
  }
}

/** Whether nothing came, or will come, of the order. A locked-out caller cannot learn what came of earlier attempts. */
function isFinal(failure: Failure, mayBePlaced: boolean): boolean {
  if (!isTemporary(failure) || isLockedOut(failure)) return true
  return !mayBePlaced && failure.reason !== null && NOT_PLACED.has(failure.reason)
}
