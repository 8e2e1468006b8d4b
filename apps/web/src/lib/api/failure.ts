import type { AppRouter } from '@papermoon/contract/router'
import { TRPCClientError } from '@trpc/client'

/** An error in the browser, with a message that is written for the player. */
export class PlainError extends Error {}

/**
 * Returns the message to show for an error: the server's sentence, or the message of a `PlainError`. Returns null if
 * the server did not respond.
 */
export function getSentence(error: unknown): string | null {
  return isAnswer(error) || error instanceof PlainError ? error.message : null
}

/** Returns the text for a failure for which the server sent no sentence. */
export const NO_RESPONSE = 'The server didn’t respond. Try again.'

/** Returns the stable code of a rejection, such as `TOKEN_NOT_FOUND`. Returns null for any other error. */
export function getReason(error: unknown): string | null {
  return isAnswer(error) ? (error.data?.reason ?? null) : null
}

/** Returns the server's sentence, if it rejected the request for the given reason. */
export function getSentenceOf(error: unknown, reason: string): string | null {
  return getReason(error) === reason ? getSentence(error) : null
}

/** Returns whether a rejected action needs a second factor, because the password is not enough. */
export function needsFactor(error: unknown): boolean {
  return isAnswer(error) && error.data?.details?.proof === 'factor'
}

/** Returns the delay before a retry that the server suggests, in seconds. Returns null if there is none. */
export function getRetryAfter(error: unknown): number | null {
  return isAnswer(error) ? (error.data?.retryAfterS ?? null) : null
}

/** Returns whether the server responded that there is no session. */
export function isSignedOut(error: unknown): boolean {
  return isAnswer(error) && error.data?.httpStatus === 401
}

/**
 * Returns whether the request may have been executed despite the error. Either the server did not respond, or it
 * reported an unknown outcome.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return !isAnswer(error) || error.data?.reason === 'OUTCOME_UNKNOWN'
}

function isAnswer(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError && error.data !== undefined && error.data !== null
}
