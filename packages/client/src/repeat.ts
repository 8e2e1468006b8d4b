import { isPapermoonError, type PapermoonError } from './errors.ts'

/**
 * First and longest wait before a repeat in ms, if the server suggests no time. Each wait is twice as long as the
 * previous one.
 */
const FIRST_WAIT_MS = 100
const LAST_WAIT_MS = 5_000

export interface RepeatOptions {
  /** Max time for all attempts, in ms (default: a minute). */
  readonly giveUpAfterMs?: number | undefined
  /** When this signal aborts, the attempts stop. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Repeats a call until the server accepts or rejects it. The call is repeated while the server is unreachable or busy,
 * or cannot say whether an order was placed. Create an order's `requestId` before this call, so that all attempts
 * together place the order only once. Rejects with the server's rejection, with the last error after the max time, or
 * with the signal's reason.
 */
export async function repeatUntilAnswered<Answer>(
  call: () => Promise<Answer>,
  { giveUpAfterMs = 60_000, signal }: RepeatOptions = {},
): Promise<Answer> {
  const giveUpAt = Date.now() + giveUpAfterMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!isPapermoonError(error) || isRefusal(error)) throw error
      const waitMs = toWaitMs(error, attempt)
      if (Date.now() + waitMs > giveUpAt) throw error
      await sleep(waitMs, signal)
    }
  }
}

/**
 * Returns whether a repeat would be rejected for the same reason. A call that exceeded a rate limit may succeed later,
 * so this returns false for it.
 */
function isRefusal({ data }: PapermoonError): boolean {
  return data !== undefined && data !== null && data.httpStatus < 500 && data.httpStatus !== 429
}

function toWaitMs({ data }: PapermoonError, attempt: number): number {
  const { retryAfterS } = data ?? {}
  if (typeof retryAfterS === 'number') return retryAfterS * 1_000
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LAST_WAIT_MS)
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  let stop = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms)
      stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop)
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
