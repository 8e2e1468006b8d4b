import { isPapermoonError, type PapermoonError } from './errors.ts'

/**
 * First and last wait before a repeat if the server does not name a time, in ms. The wait doubles from the first to the
 * last.
 */
const FIRST_WAIT_MS = 100
const LAST_WAIT_MS = 5_000

export interface RepeatOptions {
  /** Max time for all attempts in ms, from the start of the first. Default: a minute. */
  readonly giveUpAfterMs?: number | undefined
  /** Aborts the wait for another attempt. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Repeats a call while the server is unreachable, busy, or cannot say whether an order was placed, until the server
 * accepts or rejects the call. Set an order's `requestId` outside of `call`, so that all attempts place the order once
 * and get the first response. Rejects with the server's rejection, with the last error if time is up, or with the
 * signal's reason.
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

/** Returns whether the server decided, so that a repeat would get the same response. A rate limit is not a decision. */
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
