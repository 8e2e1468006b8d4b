import type { FastifyInstance } from 'fastify'
import { BadInputError } from '../../errors.ts'
import { parseBoundedJson } from '../../validation/bounded-json.ts'

/** Far larger than any valid input. */
export const BODY_BYTES_MAX = 32_768

/** Accepts JSON bodies only; an empty body is `undefined`, with or without a content type. See `OVERSIZED_JSON`. */
export function takeOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  const options = { parseAs: 'string', bodyLimit: BODY_BYTES_MAX } as const
  fastify.addContentTypeParser<string>('application/json', options, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      done(null, parseBoundedJson(body))
    } catch {
      done(new BadInputError('The request is not valid JSON.'))
    }
  })
}
