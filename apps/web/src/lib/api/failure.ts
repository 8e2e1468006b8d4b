import type { AppRouter } from '@papermoon/api/router'
import { TRPCClientError } from '@trpc/client'

/** The server's own sentence about a failed call, or null when it never answered. */
export function sentenceOf(error: unknown): string | null {
  return isAnswer(error) ? error.message : null
}

/** The stable code of a refusal, such as `TOKEN_NOT_FOUND`; null for a fault. */
export function reasonOf(error: unknown): string | null {
  return isAnswer(error) ? (error.data?.reason ?? null) : null
}

/** Seconds after which the server says that asking again makes sense, or null. */
export function retryAfterOf(error: unknown): number | null {
  return isAnswer(error) ? (error.data?.retryAfterS ?? null) : null
}

/** Whether the server answered that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return isAnswer(error) && error.data?.httpStatus === 401
}

/** Whether the same call may still have been carried out: no answer came, or the server does not know either. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !isAnswer(error) || error.data?.reason === 'OUTCOME_UNKNOWN'
}

function isAnswer(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError && error.data !== undefined && error.data !== null
}
