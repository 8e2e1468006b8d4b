import type { AppRouter } from '@papermoon/contract/router'
import { TRPCClientError } from '@trpc/client'

/** A failure in the browser whose message is written for the player. */
export class PlainError extends Error {}

/** What to tell the player about an error: the server's sentence, or a `PlainError`'s; null when no answer came. */
export function getSentence(error: unknown): string | null {
  return isAnswer(error) || error instanceof PlainError ? error.message : null
}

/** Said of a failure without a sentence. */
export const NO_RESPONSE = 'The server didn’t respond. Try again.'

/** The stable code of a refusal, such as `TOKEN_NOT_FOUND`; null for any other error. */
export function getReason(error: unknown): string | null {
  return isAnswer(error) ? (error.data?.reason ?? null) : null
}

/** The server's sentence, if it refused for this reason. */
export function getSentenceOf(error: unknown, reason: string): string | null {
  return getReason(error) === reason ? getSentence(error) : null
}

/** Whether a refused act needs a proof by a second factor: the password is not enough. */
export function needsFactor(error: unknown): boolean {
  return isAnswer(error) && error.data?.details?.proof === 'factor'
}

/** The server's suggested delay in seconds before a retry, or null. */
export function getRetryAfter(error: unknown): number | null {
  return isAnswer(error) ? (error.data?.retryAfterS ?? null) : null
}

/** Whether the server answered that there is no session. */
export function isSignedOut(error: unknown): boolean {
  return isAnswer(error) && error.data?.httpStatus === 401
}

/** Whether the call may have been executed after all: no answer came, or the server reported an unknown outcome. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !isAnswer(error) || error.data?.reason === 'OUTCOME_UNKNOWN'
}

function isAnswer(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError && error.data !== undefined && error.data !== null
}
