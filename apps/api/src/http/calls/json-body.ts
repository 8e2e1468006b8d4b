import { isUtf8 } from 'node:buffer'
import { BOUNDS } from '@papermoon/contract/bounds'
import type { FastifyInstance } from 'fastify'
import { BadInputError } from '../../errors.ts'
import { parseBoundedJson } from '../../validation/plain-input.ts'

/** Max size of a body in bytes, which is far more than any valid input needs. */
export const BODY_BYTES_MAX = BOUNDS.bodyBytes

/**
 * Accepts only JSON bodies. An empty body becomes `undefined`, with or without a content type. `OVERSIZED_JSON` stands
 * for a body that exceeds the limits.
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
