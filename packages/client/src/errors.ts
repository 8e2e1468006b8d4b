import { TRPCClientError } from '@trpc/client'
import type { ErrorData } from './api-types.ts'

/** A failed call. `message` is a sentence for people. */
export interface PapermoonError extends Error {
  /** `data.reason` is the error code. Absent if the server did not answer. */
  readonly data: ErrorData | null | undefined
}

/** Whether `error` is a call's error: the server refused it, failed or did not answer. */
export function isPapermoonError(error: unknown): error is PapermoonError {
  return error instanceof TRPCClientError
}
