/** Rejection of a client call, as far as callers need it. */
export interface Failure {
  /** The server's sentence, or the network's error. */
  readonly message: string
  /** The server's error code; null where the server did not answer, or failed unexpectedly. */
  readonly reason: string | null
  /** The HTTP status of the answer; null without one. */
  readonly status: number | null
  /** Seconds after which the server suggests another attempt; null where it does not. */
  readonly retryAfterS: number | null
}

/** Reads an error of the client (`TRPCClientError`, matched by its shape: tRPC may be loaded twice). */
export function toFailure(error: unknown): Failure {
  const { message, data } = Object(error) as { message?: unknown; data?: unknown }
  const { reason, httpStatus, retryAfterS } = Object(data) as Record<string, unknown>
  return {
    message: typeof message === 'string' ? message : String(error),
    reason: typeof reason === 'string' ? reason : null,
    status: typeof httpStatus === 'number' ? httpStatus : null,
    retryAfterS: typeof retryAfterS === 'number' ? retryAfterS : null,
  }
}

/** Whether the server may answer otherwise later: it is away, restarting, or counts too many calls. */
export function isTemporary({ status }: Failure): boolean {
  return status === null || status >= 500 || status === 429
}

/** Refusals of the account or its key: nothing this client does changes them. */
const LOCKED_OUT: ReadonlySet<string> = new Set([
  'ACCOUNT_FROZEN',
  'ACCOUNT_SUSPENDED',
  'API_KEY_INVALID',
  'API_KEY_NOT_ALLOWED',
  'KEY_EXPIRED',
  'KEY_NETWORK_NOT_ALLOWED',
  'NOT_SIGNED_IN',
])

/** Whether the server no longer accepts the key, or the account may not trade. */
export function isLockedOut({ reason }: Failure): boolean {
  return reason !== null && LOCKED_OUT.has(reason)
}
