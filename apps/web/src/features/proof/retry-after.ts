import { getRetryAfter } from '../../lib/api/failure.ts'
import { sleep } from '../../lib/boot/when-idle.ts'

const TRIES_MAX = 5
const WAIT_MAX_S = 30

/**
 * Retries a few times if the server is busy. Waits as long as the server suggests, and stops when `signal` aborts.
 * After the last attempt, rethrows the error.
 */
export async function retryAfter<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const waitS = getRetryAfter(error)
      if (waitS === null || tries >= TRIES_MAX || signal.aborted) throw error
      await sleep(Math.min(waitS, WAIT_MAX_S) * 1_000)
      signal.throwIfAborted()
    }
  }
}
