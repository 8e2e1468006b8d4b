import { isUtf8 } from 'node:buffer'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { BOUNDS } from '@papermoon/contract/bounds'
import type { FastifyInstance } from 'fastify'
import { BadInputError } from '../../errors.ts'
import { parseBoundedJson } from '../../validation/plain-input.ts'

/** Responses by Node's error code. Any other error means that the bytes are not HTTP. */
const REFUSALS: Readonly<Record<string, { readonly status: number; readonly sentence: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { status: 431, sentence: 'The URL and headers of the request are too large.' },
}
const NOT_HTTP = { status: 400, sentence: 'Could not read the request.' }

type Refuse = (error: Error & { readonly code?: string }, socket: Duplex) => void

/**
 * Returns a function that rejects a request that cannot be parsed. It responds with one plain sentence and closes the
 * connection.
 */
export function refuseUnreadable(headers: Readonly<Record<string, string>>): Refuse {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const { status, sentence } = REFUSALS[error.code ?? ''] ?? NOT_HTTP
    if (socket.writable) {
      const lines = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Connection: close',
        'Content-Type: text/plain; charset=utf-8',
        `Content-Length: ${sentence.length}`,
        ...more,
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${sentence}`)
    }
    socket.destroy(error)
  }
}

/** Max size of a body in bytes. No valid input needs this much. */
export const BODY_BYTES_MAX = BOUNDS.bodyBytes

/**
 * Accepts only JSON bodies. An empty body becomes `undefined`, with or without a content type. A body that exceeds the
 * limits becomes `OVERSIZED_JSON`.
 */
export function takeOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX } as const
  fastify.addContentTypeParser<Buffer>('application/json', options, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      // Reject invalid UTF-8, because `toString` would replace invalid bytes with other characters.
      if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
      done(null, parseBoundedJson(body.toString()))
    } catch {
      done(new BadInputError('The request is not valid JSON.'))
    }
  })
}
