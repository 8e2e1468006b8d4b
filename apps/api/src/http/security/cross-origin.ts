import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseBearer } from '../calls/bearer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers a GET, or a WebSocket, with what is public or a key may read: pages of every origin may read it. */
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

/** The methods that a CORS preflight gets, or null if the request is none, or for what belongs to an account. */
export function findAllowedMethods(request: FastifyRequest): string | null {
  const { method, url, headers } = request
  const wanted = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wanted === undefined) return null
  const names = String(headers['access-control-request-headers'] ?? '').toLowerCase()
  if (CALLS.test(url) && names.split(',').some((name) => name.trim() === 'authorization')) return ALL_METHODS
  return isOpenRoute(request) && READING.has(wanted) ? READING_METHODS : null
}

/** Allows the request that follows. Without a key, one to an account is still refused, and CORS credentials stay off. */
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
 * Lets pages of other sites read public answers, and answers to calls with a key. Always `*`, so that cached answers fit
 * every origin, and never with credentials.
 */
export function allowOtherOrigins(request: FastifyRequest, reply: FastifyReply): void {
  if (!isOpen(request) && !(hasKey(request) && CALLS.test(request.url))) return
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED)
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** Browsers never add a key by themselves, so a request with one is no forgery. */
export function hasKey(request: FastifyRequest): boolean {
  return parseBearer(request) !== null
}

/** Whether a request only reads what is public. */
export function isOpen(request: FastifyRequest): boolean {
  return READING.has(request.method) && isOpenRoute(request)
}

function isOpenRoute(request: FastifyRequest): boolean {
  const isOpen = request.routeOptions.config?.isOpen
  return typeof isOpen === 'function' ? isOpen(request) : isOpen === true
}
