import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseBearer } from '../calls/token-cookies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether pages of every origin can read the route's responses, because they contain public data or data that an
     * API key can read.
     */
    readonly isOpen?: boolean | ((request: FastifyRequest) => boolean)
  }
}

const CALLS = /^\/(api|trpc)\//
const EXPOSED =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Link, ETag, Age, Warning, Idempotency-Key, Idempotent-Replayed, Papermoon-Seen, WWW-Authenticate, Deprecation, Sunset, X-Request-Id'
const HEADERS =
  'authorization, content-type, idempotency-key, papermoon-seen, trpc-accept, last-event-id, if-none-match, if-modified-since, cache-control'
const ALL_METHODS = 'GET, POST, PUT, DELETE'
const READING_METHODS = 'GET, HEAD'
const READING: ReadonlySet<string> = new Set(READING_METHODS.split(', '))
const PREFLIGHT_AGE_S = 7_200

/**
 * Returns the methods to allow for a CORS preflight. Returns null if the request is not a preflight, or if it concerns
 * account data.
 */
export function findAllowedMethods(request: FastifyRequest): string | null {
  const { method, url, headers } = request
  const wanted = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wanted === undefined) return null
  const names = String(headers['access-control-request-headers'] ?? '').toLowerCase()
  if (CALLS.test(url) && names.split(',').some((name) => name.trim() === 'authorization')) return ALL_METHODS
  return isOpenRoute(request) && READING.has(wanted) ? READING_METHODS : null
}

/**
 * Allows the request after a preflight. Requests for account data without a key are still rejected, and CORS
 * credentials stay off.
 */
export function answerPreflight(reply: FastifyReply, methods: string): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', HEADERS)
    .header('access-control-max-age', String(PREFLIGHT_AGE_S))
    .send()
}

/**
 * Lets pages of other sites read public responses, and responses to calls with a key. The value is always `*`. Cached
 * responses therefore fit every origin, and credentials are never allowed.
 */
export function allowOtherOrigins(request: FastifyRequest, reply: FastifyReply): void {
  if (!isOpen(request) && !(hasKey(request) && CALLS.test(request.url))) return
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED)
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** Returns whether a request contains an API key. Browsers never add one by themselves. */
export function hasKey(request: FastifyRequest): boolean {
  return parseBearer(request) !== null
}

/** Returns whether a request only reads public data. */
export function isOpen(request: FastifyRequest): boolean {
  return READING.has(request.method) && isOpenRoute(request)
}

function isOpenRoute(request: FastifyRequest): boolean {
  const isOpen = request.routeOptions.config?.isOpen
  return typeof isOpen === 'function' ? isOpen(request) : isOpen === true
}
