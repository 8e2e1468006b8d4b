import { TRPCClientError } from '@trpc/client'
import type { ErrorData } from './api-types.ts'

/** The error of a failed call, with a sentence for people as its `message`. */
export interface PapermoonError extends Error {
  /** Data about the error; `data.reason` is the error code, or undefined if the server did not respond. */
  readonly data: ErrorData | null | undefined
}

/** Returns whether `error` is the error of a failed call. */
export function isPapermoonError(error: unknown): error is PapermoonError {
  return error instanceof TRPCClientError
}
