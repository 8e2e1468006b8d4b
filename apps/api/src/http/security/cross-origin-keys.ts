import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseBearer } from '../calls/bearer.ts'

const CALLS = /^\/(api|trpc)\//
const EXPOSED =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Link, Idempotency-Key, WWW-Authenticate'
const PREFLIGHT_AGE_S = 7_200

/** Whether a browser asks if a page of another site may send an `Authorization`. */
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

/** Lets the page ask; what it then sends without a key is refused as before. Cookies are never let in. */
export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
    .header('access-control-allow-headers', 'authorization, content-type, idempotency-key, trpc-accept')
    .header('access-control-max-age', String(PREFLIGHT_AGE_S))
    .send()
}

/** Lets a page of another site read the answer to a call with a key. Returns whether it is one. */
export function allowKeys(request: FastifyRequest, reply: FastifyReply): boolean {
  if (parseBearer(request) === null) return false
  if (CALLS.test(request.url)) {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
  }
  return true
}
