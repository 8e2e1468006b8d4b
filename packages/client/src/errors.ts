import { TRPCClientError } from '@trpc/client'
import type { ErrorData } from './api-types.ts'

/** A failed call. `message` is a sentence for people. */
export interface PapermoonError extends Error {
  /** `data.reason` is the error code. `data` is absent if the server did not respond. */
  readonly data: ErrorData | null | undefined
}

/** Returns whether `error` is a failed call's error: the server rejected the call, failed or did not respond. */
export function isPapermoonError(error: unknown): error is PapermoonError {
  return error instanceof TRPCClientError
}
