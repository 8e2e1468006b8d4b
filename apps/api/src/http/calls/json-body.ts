import { isUtf8 } from 'node:buffer'
import { BOUNDS } from '@papermoon/contract/bounds'
import type { FastifyInstance } from 'fastify'
import { BadInputError } from '../../errors.ts'
import { parseBoundedJson } from '../../validation/bounded-json.ts'

/** Far larger than any valid input. */
export const BODY_BYTES_MAX = BOUNDS.bodyBytes

/** Accepts JSON bodies only; an empty body is `undefined`, with or without a content type. See `OVERSIZED_JSON`. */
export function takeOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX } as const
  fastify.addContentTypeParser<Buffer>('application/json', options, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      // Else other characters would take the place of what is none.
      if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
      done(null, parseBoundedJson(body.toString()))
    } catch {
      done(new BadInputError('The request is not valid JSON.'))
    }
  })
}
