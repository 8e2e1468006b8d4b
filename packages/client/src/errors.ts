import { TRPCClientError } from '@trpc/client'
import type { ErrorData } from './api-types.ts'

/** A call that failed. `message` is a sentence for people. */
export interface PapermoonError extends Error {
  /** `data.reason` is the error code. Absent if no answer of the server arrived. */
  readonly data: ErrorData | null | undefined
}

/** Whether a call rejected with this: the server refused it, failed, or was not reached. */
export function isPapermoonError(error: unknown): error is PapermoonError {
  return error instanceof TRPCClientError
}
