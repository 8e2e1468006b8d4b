import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding, varyByEncoding } from '../compression.ts'

/** A document that does not change while the server runs. */
export interface FixedPage {
  readonly type: string
  readonly bodies: Readonly<Record<Encoding | 'identity', Buffer>>
  readonly hash: string
}

const brotli = promisify(brotliCompress)

/** Compresses the document once, for all who read it. */
export async function createFixedPage(type: string, text: string): Promise<FixedPage> {
  const identity = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gzipped] = await Promise.all([brotli(identity, { params }), promisify(gzip)(identity, { level: 9 })])
  const hash = createHash('sha256').update(identity).digest('base64url')
  return { type, bodies: { identity, br, gzip: gzipped }, hash }
}

/** Answers with the document, compressed as the client accepts, or with 304. */
export function sendFixedPage({ type, bodies, hash }: FixedPage, request: FastifyRequest, reply: FastifyReply) {
  const encoding = chooseEncoding(request.headers['accept-encoding']) ?? 'identity'
  reply
    .header('etag', `"${hash}-${encoding}"`)
    .header('cache-control', 'no-cache')
    .header('vary', varyByEncoding(reply.getHeader('vary')))
  if (request.headers['if-none-match']?.includes(`${hash}-${encoding}`)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(type).send(bodies[encoding])
}
