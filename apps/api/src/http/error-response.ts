import { STATUS_CODES } from 'node:http'
import type { FieldError } from '@papermoon/contract/error-data'
import type { WorkChallenge } from '@papermoon/contract/work-challenge'
import { DomainError, type ErrorDetails } from '@papermoon/engine'
import { TRPCError } from '@trpc/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  BadInputError,
  getChallenge,
  getFieldErrors,
  PayloadTooLargeError,
  toTransport,
  UnsupportedMediaTypeError,
} from '../errors.ts'
import { encodeChallenge } from '../security/proof-of-work/proof-of-work.ts'
import { parseBearer } from './calls/call-context.ts'
import { getQuality, parseAccept } from './media-quality.ts'

/** Response header with the challenge, as JSON in base64url. */
export const CHALLENGE_HEADER = 'proof-of-work-challenge'

/** A failure in the form that clients receive. */
export interface Failure {
  readonly status: number
  readonly code: string
  /** The failure's message as one plain sentence. */
  readonly sentence: string
  readonly retryAfterS?: number
  readonly requestKey?: string
  readonly challenge?: WorkChallenge
  /** The values that the message contains. */
  readonly details?: ErrorDetails
  /** The invalid input fields. */
  readonly errors?: readonly FieldError[]
}

export const UNAUTHORIZED = 401

const OUR_FAULT: Failure = { status: 500, code: 'INTERNAL', sentence: 'Something went wrong on our side.' }

/** Converts an error to a failure. Clients do not see the details of an unexpected error. */
export function toFailure(error: unknown): Failure {
  const expected = toExpectedFailure(error)
  if (expected === null) return OUR_FAULT
  const { code, message, retryAfterS, requestKey, details } = expected
  const challenge = getChallenge(expected)
  const errors = getFieldErrors(expected)
  return {
    status: toTransport(code).http,
    code,
    sentence: message,
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(requestKey !== undefined && { requestKey }),
    ...(challenge !== undefined && { challenge }),
    ...(details !== undefined && { details }),
    ...(errors.length > 0 && { errors }),
  }
}

/** Responds with an error as text or problem details. Unexpected errors are logged. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error)
  if (failure.status >= 500 && failure.code === OUR_FAULT.code)
    request.log.error({ err: error, reqId: request.id }, 'a request failed')
  const { code } = failure
  request.log.debug(
    { reqId: request.id, code, method: request.method, route: request.routeOptions.url },
    'request refused',
  )
  reply.code(failure.status).header('vary', 'Accept, Authorization').header('cache-control', 'no-store')
  if (failure.status === UNAUTHORIZED) askForCredentials(reply)
  if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS))
  if (failure.requestKey !== undefined) reply.header('idempotency-key', failure.requestKey)
  if (failure.challenge !== undefined) reply.header(CHALLENGE_HEADER, encodeChallenge(failure.challenge))
  if (!wantsProblem(request)) {
    reply.header('link', `<${toErrorPage(code)}>; rel="help"`)
    return reply.type('text/plain; charset=utf-8').send(failure.sentence)
  }
  return reply.type('application/problem+json').send(JSON.stringify(toProblem(failure, request.id)))
}

/** Returns the page that explains an error code. People can open this page, because the URL is in `type`. */
export function toErrorPage(code: string): string {
  return `/developers/errors#${code}`
}

/**
 * Adds the challenge that RFC 9110 requires in every 401 response. The challenge names API keys, because there is no
 * scheme for session cookies.
 */
export function askForCredentials(reply: FastifyReply): void {
  if (!reply.hasHeader('www-authenticate')) reply.header('www-authenticate', 'Bearer realm="Papermoon"')
}

/**
 * Converts a failure to problem details (RFC 9457). `instance` has the request's id, as in `x-request-id` and in the
 * log.
 */
function toProblem({ sentence, ...rest }: Failure, requestId: string) {
  const { code, status } = rest
  const instance = `urn:uuid:${requestId}`
  return { type: toErrorPage(code), title: STATUS_CODES[status], detail: sentence, instance, ...rest }
}

/** Returns the expected failure that caused an error from our code, tRPC or Fastify; null for a bug or a fault. */
export function toExpectedFailure(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error
  if (error instanceof TRPCError) return error.cause instanceof DomainError ? error.cause : null
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return new PayloadTooLargeError()
  if (status === 415) return new UnsupportedMediaTypeError()
  // Here, Fastify could not parse the URL or the body.
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new BadInputError('Could not read the request.')
  return null
}

const PROBLEM_TYPES = ['application/problem+json', 'application/json'] as const

/**
 * Returns whether a client gets a failure as problem details. A client gets problem details if it prefers JSON to plain
 * text, or if it uses an API key and does not prefer plain text. All other clients get plain text.
 */
function wantsProblem(request: FastifyRequest): boolean {
  const ranges = parseAccept(request.headers.accept ?? '')
  const json = Math.max(...PROBLEM_TYPES.map((type) => getQuality(ranges, type)))
  const text = getQuality(ranges, 'text/plain')
  return json > text || (json === text && parseBearer(request) !== null)
}
