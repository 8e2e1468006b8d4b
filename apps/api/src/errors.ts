import type { FieldError } from '@papermoon/contract/error-data'
import { type ErrorCode, errors } from '@papermoon/contract/errors'
import type { WorkChallenge } from '@papermoon/contract/work-challenge'
import { DomainError } from '@papermoon/engine'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server'

interface Transport {
  readonly http: number
  readonly trpc: TRPC_ERROR_CODE_KEY
}

type Status = (typeof errors)[ErrorCode]['status']

/** tRPC's code for each HTTP status. tRPC has no code for 406 and 421. */
const trpcCodes: Readonly<Record<Status, TRPC_ERROR_CODE_KEY>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  406: 'BAD_REQUEST',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  421: 'BAD_REQUEST',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

/** Base class of the API's expected failures. Failures of the engine extend `DomainError` directly. */
export abstract class ApiError extends DomainError<ErrorCode> {
  /** A proof-of-work challenge. The server allows the call if the client sends the solution of this challenge. */
  readonly challenge?: WorkChallenge
}

/** Defines the base class of a failure that always has the same message. */
export function defineError<Code extends ErrorCode>(
  code: Code,
  sentence: string,
  facts: Pick<ApiError, 'retryAfterS' | 'details'> = {},
): new () => ApiError & { readonly code: Code } {
  return class extends ApiError {
    readonly code = code
    constructor() {
      super(sentence)
      Object.assign(this, facts)
    }
  }
}

export function getChallenge(error: DomainError): WorkChallenge | undefined {
  return error instanceof ApiError ? error.challenge : undefined
}

/**
 * Returns an error code's HTTP status and tRPC code. For an unknown error code, returns the status and code of an
 * internal error.
 */
export function toTransport(code: string): Transport {
  const http = errors[code in errors ? (code as ErrorCode) : 'INTERNAL'].status
  return { http, trpc: trpcCodes[http] }
}

/** The input does not match its schema. The error message names the invalid fields. */
export class BadInputError extends ApiError {
  readonly code = 'BAD_INPUT'
  /** Every invalid field; empty if the request as a whole is invalid. */
  readonly errors: readonly FieldError[]
  constructor(message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.errors = errors
  }
}

export function getFieldErrors(error: DomainError): readonly FieldError[] {
  return error instanceof BadInputError ? error.errors : []
}

/** The caller used a WebSocket for a procedure that sets cookies, but a WebSocket cannot set cookies. */
export class NeedsHttpError extends BadInputError {
  constructor() {
    super('Please do this over HTTP, because a WebSocket cannot set a cookie.')
  }
}

/** The bearer token is not an API key, or the key was revoked. */
export class InvalidApiKeyError extends defineError('API_KEY_INVALID', 'This API key is not valid.') {}

export class KeyExpiredError extends defineError('KEY_EXPIRED', 'This API key has expired. Please create a new one.') {}

/** The client's IP address is outside the networks from which the API key works. */
export class KeyNetworkError extends defineError(
  'KEY_NETWORK_NOT_ALLOWED',
  'This API key does not work from your network.',
) {}

/** The API key lacks the scope, or no key may call this procedure. */
export class ApiKeyNotAllowedError extends ApiError {
  readonly code = 'API_KEY_NOT_ALLOWED'
  constructor(missing: string | null) {
    super(
      missing === null
        ? 'An API key cannot do this. Please log in instead.'
        : `This API key lacks the scope "${missing}".`,
    )
  }
}

export class NotFoundError extends ApiError {
  readonly code = 'NOT_FOUND'
}

/** The path exists, but not for this HTTP method. */
export class MethodNotAllowedError extends ApiError {
  readonly code = 'METHOD_NOT_ALLOWED'
}

/** The client's `Accept` header allows no format that this URL can return. */
export class NotAcceptableError extends defineError(
  'NOT_ACCEPTABLE',
  'This URL returns application/json, which your Accept header does not allow.',
) {}

/** A page from another site requested a write or a WebSocket. */
export class CrossOriginError extends defineError('CROSS_ORIGIN', 'This server rejects requests from other sites.') {}

/** The Host header is not in `ALLOWED_HOSTS`. */
export class ForeignHostError extends defineError(
  'FOREIGN_HOST',
  'This server does not accept requests for this host name.',
) {}

/** The database is unreachable. Orders fail with `BUSY` or `OUTCOME_UNKNOWN` in this case. */
export class DatabaseAwayError extends ApiError {
  readonly code = 'DATABASE_AWAY'
  override readonly retryAfterS = 1
  constructor(isDiskFull = false) {
    super(
      isDiskFull
        ? "The market's disk is full, so your request failed. Please try again in a moment."
        : 'The market is unavailable. Please try again in a moment.',
    )
  }
}

export class PayloadTooLargeError extends defineError('PAYLOAD_TOO_LARGE', 'The request is too large.') {}

export class UnsupportedMediaTypeError extends defineError(
  'UNSUPPORTED_MEDIA_TYPE',
  'Please send the request as application/json.',
) {}

/** The client already has the max number of connections or subscriptions. */
export class TooManyConnectionsError extends defineError(
  'RATE_LIMITED',
  'You have too many live connections open. Please close some of them.',
  { retryAfterS: 10, details: { limit: 'connections' } },
) {}

/** The caller exceeded a rate limit and may call again after `retryAfterS` seconds. */
export class RateLimitedError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS: number
  readonly limit: string | undefined
  override readonly details
  constructor(retryAfterS: number, limit?: string) {
    super(`Too many requests. Please try again in ${formatSeconds(retryAfterS)}.`)
    this.retryAfterS = retryAfterS
    this.limit = limit
    this.details = { ...(limit !== undefined && { limit }), retryAfterS }
  }
}

/**
 * The caller exceeded a rate limit. The client can retry at once with the solution of `challenge`, or after
 * `retryAfterS` seconds without a solution.
 */
export class ProofOfWorkNeededError extends ApiError {
  readonly code = 'PROOF_OF_WORK_NEEDED'
  override readonly retryAfterS: number
  override readonly challenge: WorkChallenge
  constructor(retryAfterS: number, challenge: WorkChallenge) {
    super(`Too many requests. Please try again in ${formatSeconds(retryAfterS)}, or send a proof of work now.`)
    this.retryAfterS = retryAfterS
    this.challenge = challenge
  }
}

function formatSeconds(seconds: number): string {
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}
