import type { Deprecation } from '@papermoon/contract/procedure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
// Import the router first, because it adds the implementations to the contract's procedures.
import '../../router.ts'
import { jsonBody } from '../../cache/frozen-json.ts'
import type { App } from '../../context.ts'
import { BadInputError, MethodNotAllowedError, NotAcceptableError, NotFoundError } from '../../errors.ts'
import { getMarketOf } from '../../features/fairs/choose-market.ts'
import { findUserId, run } from '../../trpc.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { NOT_MODIFIED, type ResponseCache } from '../calls/response-cache.ts'
import { takeOnlyJson } from '../calls/unreadable-request.ts'
import type { ResponseCompressor } from '../compression.ts'
import { sendFailure } from '../error-response.ts'
import { acceptsJson } from '../media-quality.ts'
import { toBody } from './body.ts'
import { DOCUMENTS, OPEN_DOCUMENTS, serveDocuments } from './documents.ts'
import { restInput } from './input.ts'
import { getExample } from './openapi/operation.ts'
import { listExportPaths, type RestRoute, restRoutes, toExportPath } from './routes.ts'
import { chooseRowFormat, ROW_FORMATS } from './streams/formats.ts'
import { rowStreams } from './streams/row-streams.ts'
import { RowSender } from './streams/send-rows.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const PREFIX = '/api'
const NOTHING_HERE = 'There is nothing at this address.'

/** `/api`: serves the REST API, its OpenAPI document, and a page on which people can read the document. */
export const restMount = fp<{ app: App; answers: ResponseCache; compressor: ResponseCompressor }>(
  async (root, { app, answers, compressor }) => {
    await root.register(
      async (fastify) => {
        takeOnlyJson(fastify)
        fastify.setErrorHandler(sendFailure)
        fastify.setNotFoundHandler((request, reply) => sendFailure(new NotFoundError(NOTHING_HERE), request, reply))
        serveDocuments(fastify, app)
        const rowSender = new RowSender(app)
        for (const route of restRoutes) {
          mountRoute(fastify, { app, answers, compressor, rowSender }, route)
          mountExports(fastify, { app, rowSender }, route)
        }
        refuseOtherRequests(fastify)
      },
      { prefix: PREFIX },
    )
  },
  { name: 'rest-mount', dependencies: ['@fastify/cookie'] },
)

interface Parts {
  readonly app: App
  readonly answers: ResponseCache
  readonly compressor: ResponseCompressor
  readonly rowSender: RowSender
}

function mountRoute(fastify: FastifyInstance, { app, answers, compressor, rowSender }: Parts, route: RestRoute): void {
  // Check the example now, although the document is built later. A server with a missing example must not start.
  getExample(route)
  const { entry } = route
  const rows = rowStreams[route.procedure]
  const rowTypes = rows === undefined ? [] : Object.keys(ROW_FORMATS)
  const deprecationHeaders = toDeprecationHeaders(entry.deprecated)
  fastify.route({
    method: route.method,
    url: toFastifyPath(route.path),
    config: { isOpen: isOpenRoute(route) },
    handler: async (request, reply) => {
      if (!acceptsJson(request.headers.accept, rowTypes)) throw new NotAcceptableError()
      const { ctx, input, output } = await call(app, route, [request, reply])
      reply
        .code(entry.status ?? 200)
        .type('application/json; charset=utf-8')
        .headers(deprecationHeaders)
      if (rows !== undefined) reply.header('vary', 'accept')
      const format = rows === undefined || request.method !== 'GET' ? null : chooseRowFormat(request.headers.accept)
      // The procedure has checked the caller and the input. Its own response is only one page, so ignore it.
      if (rows !== undefined && format !== null) {
        reply.headers(toDeprecationHeaders({ ...ROWS_BY_ACCEPT, successor: toExportPath(request.url, format) }))
        const userId = rows.isOwn ? await findUserId(ctx) : null
        return rowSender.send({ request, reply, rows, format, input, app: getMarketOf(app, entry, input), userId })
      }
      const plain = jsonBody(toBody(entry, output, [request, reply]))
      const body = await compressor.compress([route.procedure], plain, { request, reply })
      if (entry.cached) {
        const isKnown = answers.validate({ request, reply, output, body })
        answers.store({ request, reply, output, reads: 1 + (entry.reads?.(input) ?? 0), body })
        if (isKnown)
          return reply.code(NOT_MODIFIED).removeHeader('content-type').removeHeader('content-encoding').send()
      }
      return reply.send(body)
    },
  })
}

/** Calls the procedure of a route. Returns the output and the validated input. */
async function call(app: App, { entry, procedure }: RestRoute, [request, reply]: [FastifyRequest, FastifyReply]) {
  const ctx = createHttpContext(app, request, reply)
  let input: unknown
  const readInput = () => {
    input = restInput(request, entry)
    return input
  }
  const output = await run(entry, { ctx, path: procedure, readInput })
  reply.header('cache-control', 'no-store')
  return { ctx, input, output }
}

/** Dates of the deprecation of CSV and NDJSON by the `Accept` header. */
const ROWS_BY_ACCEPT = { since: '2026-11-24', sunset: '2028-01-01' } as const

/** Serves a complete list as files, such as `/api/exports/trades.csv`. */
function mountExports(
  fastify: FastifyInstance,
  { app, rowSender }: Pick<Parts, 'app' | 'rowSender'>,
  route: RestRoute,
) {
  const rows = rowStreams[route.procedure]
  if (rows === undefined) return
  const { entry } = route
  for (const format of Object.values(ROW_FORMATS)) {
    fastify.route({
      method: 'GET',
      url: toFastifyPath(toExportPath(route.path, format)),
      config: { isOpen: isOpenRoute(route) },
      handler: async (request, reply) => {
        // This call checks the caller and the input. Its output is only one page, so ignore it.
        const { ctx, input } = await call(app, route, [request, reply])
        const userId = rows.isOwn ? await findUserId(ctx) : null
        return rowSender.send({ request, reply, rows, format, input, app: getMarketOf(app, entry, input), userId })
      },
    })
  }
}

/** The date of a deprecation, the date until which the old way works, and what replaces it. */
type Dates = Pick<Deprecation, 'since' | 'sunset'> & { readonly successor: string }

/**
 * Returns headers with the date of a route's deprecation (RFC 9745), the date until which it works (RFC 8594), and the
 * route that replaces it (RFC 5829).
 */
function toDeprecationHeaders(deprecated: Dates | undefined): Record<string, string> {
  if (deprecated === undefined) return {}
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    sunset: new Date(deprecated.sunset).toUTCString(),
    link: `<${deprecated.successor}>; rel="successor-version"`,
  }
}

/**
 * Rejects requests that match no route. If the path is known, the response lists the methods that it accepts.
 * Otherwise, the status is 404.
 */
function refuseOtherRequests(fastify: FastifyInstance): void {
  fastify.route({
    method: [...METHODS],
    url: '/*',
    config: { isOpen: (request) => findAddresses(request).some(({ isOpen }) => isOpen) },
    // Reject the request before its body is read.
    onRequest: async (request, reply) => {
      const found = findAddresses(request)
      if (found.length === 0) throw new NotFoundError(NOTHING_HERE)
      const asked = request.method === 'HEAD' ? 'GET' : request.method
      // Here a parameter has more than a hundred characters, which the router does not accept.
      if (found.some(({ method }) => method === asked)) throw new BadInputError('Could not read the request.')
      const taken = METHODS.filter((name) => found.some(({ method }) => method === name))
      // Also list HEAD, because Fastify adds a HEAD route to every GET route.
      const allowed = taken.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])).join(', ')
      reply.header('allow', allowed)
      throw new MethodNotAllowedError(`This URL accepts ${taken.join(' or ')} only.`)
    },
    handler: async () => {},
  })
}

/** All paths below `/api`, each with the methods that it accepts. */
const ADDRESSES = [
  ...restRoutes.flatMap((route) => [
    { method: route.method, path: toFastifyPath(route.path), isOpen: isOpenRoute(route) },
    ...listExportPaths(route).map((path) => ({ method: 'GET', path: toFastifyPath(path), isOpen: isOpenRoute(route) })),
  ]),
  ...DOCUMENTS.map((path) => ({ method: 'GET', path, isOpen: OPEN_DOCUMENTS.has(path) })),
].map(({ path, ...address }) => ({ ...address, pattern: toPattern(path) }))

function findAddresses({ params }: FastifyRequest): typeof ADDRESSES {
  const path = `/${(params as { readonly '*': string })['*']}`
  return ADDRESSES.filter(({ pattern }) => pattern.test(path))
}

/** Returns a pattern that matches the same paths as Fastify's router. */
function toPattern(path: string): RegExp {
  const pattern = path
    .replaceAll('.', String.raw`\.`)
    .replaceAll(/\/:\w+\?/g, '(?:/[^/]+)?')
    .replaceAll(/:\w+/g, '[^/]+')
  return new RegExp(`^${pattern}$`)
}

/** Returns whether a route responds in the same way to everyone. Pages of all origins may then read the response. */
function isOpenRoute({ method, access }: RestRoute): boolean {
  return method === 'GET' && access === 'anyone'
}

function toFastifyPath(path: string): string {
  return path.slice(PREFIX.length).replaceAll(/\{(\w+)\}/g, ':$1')
}
