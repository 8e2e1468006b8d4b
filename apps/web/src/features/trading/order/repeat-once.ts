import { getReason, getRetryAfter, isOutcomeUnknown } from '../../../lib/api/failure.ts'

const RETRY_AFTER_S = 1

/** Refusals that come before an order is looked at. */
const NOT_DONE: ReadonlySet<string> = new Set(['BUSY', 'DATABASE_AWAY'])

/**
 * Sends an order, with its key; where nobody knows whether it was done, or the market could not look at it, once more.
 * Throws what the last try threw.
 */
export async function repeatOnce<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    if (!mayRepeat(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, (getRetryAfter(error) ?? RETRY_AFTER_S) * 1_000))
    return await send()
  }
}

/** Whether the same order, with its key, may be sent again: it was not done, or nobody knows. */
export function mayRepeat(error: unknown): boolean {
  return isOutcomeUnknown(error) || NOT_DONE.has(getReason(error) ?? '')
}
