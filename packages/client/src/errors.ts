import { TRPCClientError } from '@trpc/client'
import type { ErrorData } from './api-types.ts'

/** The error of a failed call, with a sentence for people as its `message`. */
export interface PapermoonError extends Error {
  /** The error code is `data.reason`. If the server did not respond, `data` is undefined. */
  readonly data: ErrorData | null | undefined
}

/** Returns whether `error` is the error of a failed call. */
export function isPapermoonError(error: unknown): error is PapermoonError {
  return error instanceof TRPCClientError
}
