import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { findUserId } from '../../caller.ts'
import type { App } from '../../context.ts'
import { BadInputError, MethodNotAllowedError, NotFoundError } from '../../errors.ts'
import { getMarketOf } from '../../features/fairs/access.ts'
import type { ResponseCache, ResponseCompressor } from '../calls/response-cache.ts'
import { takeOnlyJson } from '../create-fastify.ts'
import { sendFailure } from '../error-response.ts'
import { callRoute, createHandler, type RestParts } from './call.ts'
import { DOCUMENTS, OPEN_DOCUMENTS, serveDocuments } from './documents.ts'
import { getExample } from './openapi/operation.ts'
import { listExportPaths, type RestRoute, restRoutes } from './routes.ts'
import { ROW_FORMATS, toExportPath } from './streams/formats.ts'
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

function mountRoute(fastify: FastifyInstance, parts: RestParts, route: RestRoute): void {
  // Check the example now, although the document is built later. A server must not start if an example is missing.
  getExample(route)
  fastify.route({
    method: route.method,
    url: toFastifyPath(route.path),
    config: { isOpen: isOpenRoute(route) },
    handler: createHandler(parts, route),
  })
}

/** Serves a complete list as files, such as `/api/exports/trades.csv`. */
function mountExports(
  fastify: FastifyInstance,
  { app, rowSender }: Pick<RestParts, 'app' | 'rowSender'>,
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
        // This call only checks the caller and the input. The output of this call is only one page, so ignore it.
        const { ctx, input } = await callRoute(app, route, [request, reply])
        const userId = rows.isOwn ? await findUserId(ctx) : null
        return rowSender.send({ request, reply, rows, format, input, app: getMarketOf(app, entry, input), userId })
      },
    })
  }
}

/**
 * Rejects requests that match no route. If the path is known, the response lists the methods that it accepts. If the
 * path is unknown, the status is 404.
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
      // Here, a parameter has more than a hundred characters, which the router does not accept.
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

/** Returns whether a route responds in the same way to everyone. Pages of all origins may read such responses. */
function isOpenRoute({ method, access }: RestRoute): boolean {
  return method === 'GET' && access === 'anyone'
}

function toFastifyPath(path: string): string {
  return path.slice(PREFIX.length).replaceAll(/\{(\w+)\}/g, ':$1')
}
