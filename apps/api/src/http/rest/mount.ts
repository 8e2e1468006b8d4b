import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { jsonBody } from '../../cache/frozen-json.ts'
import type { App } from '../../context.ts'
import { MethodNotAllowedError, NotFoundError } from '../../errors.ts'
import { AnswerCache, cachedAnswers, NOT_MODIFIED } from '../calls/answer-cache.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { callProcedure } from '../calls/call-procedure.ts'
import { takeOnlyJson } from '../calls/json-body.ts'
import type { AnswerCompressor } from '../compression.ts'
import { sendFailure } from '../error-response.ts'
import { DOCUMENTS, OPEN_DOCUMENTS, serveDocuments } from './documents.ts'
import { restInput } from './input.ts'
import { getExample, getProcedureFacts } from './openapi/operation.ts'
import { type RestRoute, restRoutes } from './routes.ts'
import { chooseRowFormat } from './streams/formats.ts'
import { rowStreams } from './streams/row-streams.ts'
import { RowSender } from './streams/send-rows.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const PREFIX = '/api'

/** `/api`: REST, with its OpenAPI document and a page to read it. */
export const restMount = fp<{ app: App; compressor: AnswerCompressor }>(
  async (root, { app, compressor }) => {
    const answers = new AnswerCache(app)
    await root.register(cachedAnswers, { app, answers })
    await root.register(
      async (fastify) => {
        takeOnlyJson(fastify)
        fastify.setErrorHandler(sendFailure)
        fastify.setNotFoundHandler((request, reply) =>
          sendFailure(new NotFoundError('There is nothing at this address.'), request, reply),
        )
        serveDocuments(fastify, app)
        const rowSender = new RowSender(app)
        for (const route of restRoutes) mountRoute(fastify, { app, answers, compressor, rowSender }, route)
        refuseOtherMethods(fastify)
      },
      { prefix: PREFIX },
    )
  },
  { name: 'rest-mount', dependencies: ['@fastify/cookie', 'metrics'] },
)

interface Parts {
  readonly app: App
  readonly answers: AnswerCache
  readonly compressor: AnswerCompressor
  readonly rowSender: RowSender
}

function mountRoute(fastify: FastifyInstance, { app, answers, compressor, rowSender }: Parts, route: RestRoute): void {
  // Now, though the document is built later: a route without an example must not start.
  getExample(route.procedure)
  const facts = getProcedureFacts(route)
  const { type, meta } = facts
  assert(type !== 'subscription', 'REST has no subscriptions')
  const deprecationHeaders = toDeprecationHeaders(route)
  fastify.route({
    method: route.method,
    url: toFastifyPath(route),
    config: { isOpen: isOpenRoute(route) },
    handler: async (request, reply) => {
      const ctx = createHttpContext(app, request, reply)
      let input: unknown
      const readInput = () => {
        input = restInput(request, facts)
        return input
      }
      const output = await callProcedure({ ctx, path: route.procedure, type, readInput, index: 0 })
      reply
        .code(route.status ?? 200)
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
        .headers(deprecationHeaders)
      const rows = rowStreams[route.procedure]
      if (rows !== undefined) reply.header('vary', 'accept')
      const format = rows === undefined || request.method !== 'GET' ? null : chooseRowFormat(request.headers.accept)
      // The procedure has checked caller and input by now; its answer, one page, is not needed.
      if (rows !== undefined && format !== null) return rowSender.send({ request, reply, rows, format, input })
      // `never`: `route()` in the table has checked that `from` takes the output of its procedure.
      const plain = jsonBody(route.answer ? route.answer.from(output as never, request, reply) : output)
      const body = await compressor.compress([route.procedure], plain, { request, reply })
      if (meta.answer !== undefined) {
        const isKnown = answers.validate({ request, reply, output, body })
        answers.store({ request, reply, output, reads: 1 + (meta.reads?.(input) ?? 0), body })
        if (isKnown)
          return reply.code(NOT_MODIFIED).removeHeader('content-type').removeHeader('content-encoding').send()
      }
      return reply.send(body)
    },
  })
}

/** Says when a route was deprecated (RFC 9745), until when it works (RFC 8594), and what replaces it (RFC 5829). */
function toDeprecationHeaders({ deprecated }: RestRoute): Record<string, string> {
  if (deprecated === undefined) return {}
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    sunset: new Date(deprecated.sunset).toUTCString(),
    link: `<${deprecated.successor}>; rel="successor-version"`,
  }
}

/** A known address with another method says which ones it takes. */
function refuseOtherMethods(fastify: FastifyInstance): void {
  const open = new Set([...OPEN_DOCUMENTS, ...restRoutes.filter(isOpenRoute).map(toFastifyPath)])
  for (const url of new Set([...restRoutes.map(toFastifyPath), ...DOCUMENTS])) {
    const taken = METHODS.filter((method) => fastify.hasRoute({ method, url: `${PREFIX}${url}` }))
    // Fastify adds a HEAD route to every GET.
    const allowed = taken.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])).join(', ')
    fastify.route({
      method: METHODS.filter((method) => !taken.includes(method)),
      url,
      config: { isOpen: open.has(url) },
      // Refuse before the body is read.
      onRequest: async (_request, reply) => {
        reply.header('allow', allowed)
        throw new MethodNotAllowedError(`This address takes ${taken.join(' or ')} only.`)
      },
      handler: async () => {},
    })
  }
}

/** Whether the route answers everybody alike, so that pages of all origins may read it. */
function isOpenRoute({ method, access }: RestRoute): boolean {
  return method === 'GET' && access === 'anyone'
}

function toFastifyPath(route: RestRoute): string {
  return route.path.slice(PREFIX.length).replaceAll(/\{(\w+)\}/g, ':$1')
}
