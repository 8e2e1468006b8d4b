import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { MethodNotAllowedError, NotFoundError } from '../../errors.ts'
import { takeOnlyJson } from '../calls/unreadable-request.ts'
import { sendFailure } from '../error-response.ts'
import { assertQuery } from '../rest/input.ts'
import { serveTrpcSocket } from '../sockets/trpc-socket.ts'
import { answerTrpc, logIfUnexpected, type TrpcParts, type TrpcRequest, toErrorEnvelope, toTrpcError } from './http.ts'

const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `/trpc`: serves typed procedures over HTTP, alone or in batches, and over a WebSocket. */
export const trpcMount = fp<TrpcParts>(
  async (root, { app, compressor }) => {
    await root.register(async (fastify) => {
      takeOnlyJson(fastify)
      mountHttp(fastify, { app, compressor })
      mountSocket(fastify, app)
    })
  },
  { name: 'trpc-mount', dependencies: ['live-sockets'] },
)

function mountHttp(fastify: FastifyInstance, parts: TrpcParts): void {
  fastify.setErrorHandler(async (thrown, request, reply) => {
    if (request.routeOptions.url !== '/trpc/*') return sendFailure(thrown, request, reply)
    const error = toTrpcError(thrown)
    logIfUnexpected(request, error, undefined)
    reply.header('cache-control', 'no-store')
    return reply.code(getHTTPStatusCodeFromError(error)).send(toErrorEnvelope(error))
  })
  fastify.route<TrpcRequest>({
    method: ['GET', 'POST'],
    url: '/trpc/*',
    handler: (request, reply) => answerTrpc(parts, request, reply),
  })
  fastify.route({
    method: OTHER_METHODS,
    url: '/trpc/*',
    onRequest: async (_request, reply) => {
      reply.header('allow', 'GET, POST')
      throw new MethodNotAllowedError('Procedures are called with GET or POST.')
    },
    handler: async () => {},
  })
}

function mountSocket(fastify: FastifyInstance, app: App): void {
  fastify.route({
    method: 'GET',
    url: '/trpc',
    preValidation: async (request) => {
      if (!request.ws) return
      assertQuery(request.query, ['connectionParams'])
      fastify.liveSockets.assertRoom(request)
    },
    handler: async () => {
      throw new NotFoundError('Please name a procedure, or open a WebSocket here.')
    },
    wsHandler: (socket, request) => {
      fastify.liveSockets.add(socket, request)
      const countReads = () => fastify.liveSockets.countReads(socket)
      serveTrpcSocket(app, { socket, request, server: fastify.websocketServer, countReads })
    },
  })
}
