import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseBearer } from '../calls/bearer.ts'

const CALLS = /^\/(api|trpc)\//
const EXPOSED =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Link, Idempotency-Key, WWW-Authenticate'
const PREFLIGHT_AGE_S = 7_200

/** Whether this is a CORS preflight for a request with `Authorization`. */
export function isKeyPreflight({ method, url, headers }: FastifyRequest): boolean {
  const asked = headers['access-control-request-headers']
  const names = typeof asked === 'string' ? asked.toLowerCase().split(',') : []
  return (
    method === 'OPTIONS' &&
    CALLS.test(url) &&
    headers['access-control-request-method'] !== undefined &&
    names.some((name) => name.trim() === 'authorization')
  )
}

/** Allows the request that follows. Without a key it is still refused, and CORS credentials stay off. */
export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
    .header('access-control-allow-headers', 'authorization, content-type, idempotency-key, trpc-accept')
    .header('access-control-max-age', String(PREFLIGHT_AGE_S))
    .send()
}

/** Lets pages of other sites read answers to calls with a key. Returns whether the request has one. */
export function allowKeys(request: FastifyRequest, reply: FastifyReply): boolean {
  if (parseBearer(request) === null) return false
  if (CALLS.test(request.url)) {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
  }
  return true
}
