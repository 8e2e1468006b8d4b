import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { assertGoodApiKey } from '../../trpc.ts'
import { parseBearer } from '../calls/bearer.ts'
import { createSocketContext, refuseSubscription } from '../calls/call-context.ts'
import { WEBSOCKET } from './event-formats.ts'
import { readEventQuery } from './event-query.ts'
import { serveEvents, waitUntilSettled } from './event-source.ts'
import { SocketOutlet } from './socket-outlet.ts'

/**
 * `/ws`: events of the market as JSON objects with `type` and `tokenId`, except those of hidden tokens. With `after` it resumes
 * after a cursor, like `/api/events`.
 */
export const eventSocket = fp<{ app: App }>(
  async (fastify, { app }) => {
    fastify.get(
      '/ws',
      {
        websocket: true,
        config: { isOpen: true },
        preValidation: async (request) => {
          await checkKey(app, request)
          const { cursor } = readEventQuery(app, request)
          if (cursor !== null) await waitUntilSettled(app)
          fastify.liveSockets.assertRoom(request)
        },
      },
      (socket, request) => {
        fastify.liveSockets.add(socket, request)
        // Messages are read, so that pongs get through, and discarded.
        socket.on('message', () => fastify.liveSockets.countNoise(socket))
        const ended = new AbortController()
        socket.once('close', () => ended.abort())
        const outlet = new SocketOutlet({ socket, request, format: WEBSOCKET, signal: ended.signal })
        void serveEvents({ app, outlet }, readEventQuery(app, request))
      },
    )
  },
  { name: 'event-socket', dependencies: ['live-sockets'] },
)

/** Refuses bad API keys like a call does. */
async function checkKey(app: App, request: FastifyRequest): Promise<void> {
  if (parseBearer(request) === null) return
  await assertGoodApiKey(createSocketContext(app, request, refuseSubscription), 'live.events')
}
