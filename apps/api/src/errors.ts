import { DomainError, type TradingErrorCode } from '@papermoon/engine'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server'
import type { WorkChallenge } from './security/proof-of-work/challenge.ts'

interface Transport {
  readonly http: number
  readonly trpc: TRPC_ERROR_CODE_KEY
}

const badRequest: Transport = { http: 400, trpc: 'BAD_REQUEST' }
const unauthorized: Transport = { http: 401, trpc: 'UNAUTHORIZED' }
const forbidden: Transport = { http: 403, trpc: 'FORBIDDEN' }
const notFound: Transport = { http: 404, trpc: 'NOT_FOUND' }
const methodNotAllowed: Transport = { http: 405, trpc: 'METHOD_NOT_SUPPORTED' }
const notAcceptable: Transport = { http: 406, trpc: 'BAD_REQUEST' }
const conflict: Transport = { http: 409, trpc: 'CONFLICT' }
const payloadTooLarge: Transport = { http: 413, trpc: 'PAYLOAD_TOO_LARGE' }
const unsupportedMediaType: Transport = { http: 415, trpc: 'UNSUPPORTED_MEDIA_TYPE' }
const misdirected: Transport = { http: 421, trpc: 'BAD_REQUEST' }
const unprocessable: Transport = { http: 422, trpc: 'UNPROCESSABLE_CONTENT' }
const tooManyRequests: Transport = { http: 429, trpc: 'TOO_MANY_REQUESTS' }
const internalError: Transport = { http: 500, trpc: 'INTERNAL_SERVER_ERROR' }
const unavailable: Transport = { http: 503, trpc: 'SERVICE_UNAVAILABLE' }

/** The HTTP status and tRPC code of every expected failure. */
const transports = {
  BAD_INPUT: badRequest,
  RESET_CODE_INVALID: badRequest,
  EMAIL_LINK_INVALID: badRequest,
  WEAK_PASSWORD: badRequest,
  PASSKEY_INVALID: badRequest,
  NOT_SIGNED_IN: unauthorized,
  INVALID_CREDENTIALS: unauthorized,
  SECOND_FACTOR_NEEDED: unauthorized,
  SECOND_FACTOR_INVALID: unauthorized,
  API_KEY_INVALID: unauthorized,
  KEY_EXPIRED: unauthorized,
  API_KEY_NOT_ALLOWED: forbidden,
  KEY_NETWORK_NOT_ALLOWED: forbidden,
  ACCOUNT_SUSPENDED: forbidden,
  ACCOUNT_FROZEN: forbidden,
  CROSS_ORIGIN: forbidden,
  NOT_YOURS: forbidden,
  CONFIRMATION_NEEDED: forbidden,
  WRONG_PASSWORD: forbidden,
  WRONG_CODE: forbidden,
  UPLOAD_LINK_INVALID: forbidden,
  EXPORT_LINK_INVALID: forbidden,
  NOT_FOUND: notFound,
  TOKEN_NOT_FOUND: notFound,
  MOMENT_NOT_FOUND: notFound,
  UPLOAD_NOT_FOUND: notFound,
  METHOD_NOT_ALLOWED: methodNotAllowed,
  NOT_ACCEPTABLE: notAcceptable,
  USERNAME_TAKEN: conflict,
  EMAIL_TAKEN: conflict,
  TOKEN_CLOSED: conflict,
  UPLOAD_EXISTS: conflict,
  WEBHOOK_EXISTS: conflict,
  ALERT_REACHED: conflict,
  SECOND_FACTOR_ON: conflict,
  SECOND_FACTOR_OFF: conflict,
  SETUP_EXPIRED: conflict,
  PASSKEY_EXISTS: conflict,
  PAYLOAD_TOO_LARGE: payloadTooLarge,
  UNSUPPORTED_MEDIA_TYPE: unsupportedMediaType,
  NOT_A_PICTURE: unsupportedMediaType,
  FOREIGN_HOST: misdirected,
  AMOUNT_TOO_LARGE: unprocessable,
  INSUFFICIENT_BALANCE: unprocessable,
  INSUFFICIENT_TOKENS: unprocessable,
  NET_WORTH_TOO_HIGH: unprocessable,
  OUTPUT_IS_ZERO: unprocessable,
  REQUEST_KEY_REUSED: unprocessable,
  SLIPPAGE_EXCEEDED: unprocessable,
  SPENDING_LIMIT_REACHED: unprocessable,
  TOO_MANY_ALERTS: unprocessable,
  PUSH_UNAVAILABLE: unprocessable,
  TOO_MANY_WEBHOOKS: unprocessable,
  WEBHOOKS_UNAVAILABLE: unprocessable,
  TOO_MANY_KEYS: unprocessable,
  TOO_MANY_PASSKEYS: unprocessable,
  WATCHLIST_FULL: unprocessable,
  PASSKEYS_UNAVAILABLE: unprocessable,
  RATE_LIMITED: tooManyRequests,
  PROOF_OF_WORK_NEEDED: tooManyRequests,
  RESET_TOO_SOON: tooManyRequests,
  TOO_MANY_ORDERS: tooManyRequests,
  BUSY: unavailable,
  OUTCOME_UNKNOWN: unavailable,
  DATABASE_AWAY: unavailable,
  STORAGE_AWAY: unavailable,
} as const satisfies Record<TradingErrorCode, Transport> & Record<string, Transport>

export type DomainErrorCode = keyof typeof transports

/** Base of the API's expected failures; those of the engine extend `DomainError` directly. */
export abstract class ApiError extends DomainError<DomainErrorCode> {
  /** A proof-of-work challenge: a call with its solution is allowed. */
  readonly challenge?: WorkChallenge
}

/** The proof-of-work challenge of an error, if any. */
export function getChallenge(error: DomainError): WorkChallenge | undefined {
  return error instanceof ApiError ? error.challenge : undefined
}

/** The status and tRPC code of an error code; those of an internal error if it is unknown. */
export function toTransport(code: string): Transport {
  return code in transports ? transports[code as DomainErrorCode] : internalError
}

/** Fault of one field of an input. */
export interface FieldError {
  /** Its name, with dots between the parts of a nested one; empty for the whole input. */
  readonly field: string
  /** JSON Pointer as a URI fragment (RFC 6901): `#/solAmount`. */
  readonly pointer: string
  /** One plain sentence. */
  readonly message: string
}

/** The input does not match its schema; the message names the fields. */
export class BadInputError extends ApiError {
  readonly code = 'BAD_INPUT'
  /** Every wrong field; empty where the request as a whole is wrong. */
  readonly errors: readonly FieldError[]
  constructor(message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.errors = errors
  }
}

/** The wrong fields of an error, if it is about any. */
export function getFieldErrors(error: DomainError): readonly FieldError[] {
  return error instanceof BadInputError ? error.errors : []
}

/** For procedures that set cookies, which a WebSocket cannot do. */
export class NeedsHttpError extends BadInputError {
  constructor() {
    super('Please do this over HTTP: a WebSocket cannot set a cookie.')
  }
}

/** The bearer token is not an API key, or was revoked. */
export class InvalidApiKeyError extends ApiError {
  readonly code = 'API_KEY_INVALID'
  constructor() {
    super('This API key is not valid.')
  }
}

export class KeyExpiredError extends ApiError {
  readonly code = 'KEY_EXPIRED'
  constructor() {
    super('This API key has expired. Please make a new one.')
  }
}

/** The client's address is outside the networks that the API key may be used from. */
export class KeyNetworkError extends ApiError {
  readonly code = 'KEY_NETWORK_NOT_ALLOWED'
  constructor() {
    super('This API key does not work from your network.')
  }
}

/** The API key lacks the scope, or no key may call this procedure. */
export class ApiKeyNotAllowedError extends ApiError {
  readonly code = 'API_KEY_NOT_ALLOWED'
  constructor(missing: string | null) {
    super(
      missing === null
        ? 'An API key cannot do this. Please login instead.'
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

/** The client's `Accept` names nothing that the address can be sent as. */
export class NotAcceptableError extends ApiError {
  readonly code = 'NOT_ACCEPTABLE'
  constructor() {
    super('This address answers with application/json, which your Accept header does not name.')
  }
}

/** A page of another site requested a write or a WebSocket. */
export class CrossOriginError extends ApiError {
  readonly code = 'CROSS_ORIGIN'
  constructor() {
    super('Requests from other sites are refused.')
  }
}

/** The Host header is not one of `ALLOWED_HOSTS`. */
export class ForeignHostError extends ApiError {
  readonly code = 'FOREIGN_HOST'
  constructor() {
    super('This server does not serve the host that was asked for.')
  }
}

/** The database is unreachable. Orders fail with `BUSY` or `OUTCOME_UNKNOWN` instead. */
export class DatabaseAwayError extends ApiError {
  readonly code = 'DATABASE_AWAY'
  override readonly retryAfterS = 1
  constructor(isDiskFull = false) {
    super(
      isDiskFull
        ? "The market's disk is full, so this was not done. Please try again in a moment."
        : 'The market is out of reach for a moment. Please try again.',
    )
  }
}

export class PayloadTooLargeError extends ApiError {
  readonly code = 'PAYLOAD_TOO_LARGE'
  constructor() {
    super('The request is too large.')
  }
}

export class UnsupportedMediaTypeError extends ApiError {
  readonly code = 'UNSUPPORTED_MEDIA_TYPE'
  constructor() {
    super('Please send the request as application/json.')
  }
}

/** A client has the maximum number of connections or subscriptions. */
export class TooManyConnectionsError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS = 10
  override readonly details = { limit: 'connections' }
  constructor() {
    super('You have too many live connections open. Please close some of them.')
  }
}

/** A rate limit is exceeded; it allows calls again after `retryAfterS` seconds. */
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

/** A rate limit is exceeded: retry at once with the solution of `challenge`, or without it after `retryAfterS` seconds. */
export class ProofOfWorkNeededError extends ApiError {
  readonly code = 'PROOF_OF_WORK_NEEDED'
  override readonly retryAfterS: number
  override readonly challenge: WorkChallenge
  constructor(retryAfterS: number, challenge: WorkChallenge) {
    super(`Too many requests. Please try again in ${formatSeconds(retryAfterS)}, or at once with a proof of work.`)
    this.retryAfterS = retryAfterS
    this.challenge = challenge
  }
}

function formatSeconds(seconds: number): string {
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}
