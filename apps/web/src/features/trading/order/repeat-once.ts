import { getReason, getRetryAfter, isOutcomeUnknown } from '../../../lib/api/failure.ts'

const RETRY_AFTER_S = 1

/** Refusals from before an order is processed. */
const NOT_DONE: ReadonlySet<string> = new Set(['BUSY', 'DATABASE_AWAY'])

/**
 * Sends an order with its key, and once more if its outcome is unknown or it was not processed. Throws the last error.
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

/** Whether an order may be sent again with its key: it was not executed, or its outcome is unknown. */
export function mayRepeat(error: unknown): boolean {
  return isOutcomeUnknown(error) || NOT_DONE.has(getReason(error) ?? '')
}
