import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A document that does not change while the server runs. */
export interface FixedPage {
  readonly type: string
  readonly body: Buffer
  readonly etag: string
}

export function fixedPage(type: string, text: string): FixedPage {
  const body = Buffer.from(text)
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }
}

/** Answers with the document, or with 304. */
export function sendFixedPage({ type, body, etag }: FixedPage, request: FastifyRequest, reply: FastifyReply) {
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type(type).send(body)
}
