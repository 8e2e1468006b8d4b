import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { assertGoodApiKey } from '../../trpc.ts'
import { createSocketContext, refuseSubscription } from '../calls/call-context.ts'
import { WEBSOCKET } from './event-formats.ts'
import { readEventQuery, type WantedStream } from './event-query.ts'
import { serveEvents } from './event-source.ts'
import { SocketOutlet } from './socket-outlet.ts'

/**
 * `/ws`: sends the events of the market, or of fairs, as JSON objects with `type` and `tokenId`. Events of hidden
 * tokens are left out. With `after`, the stream resumes after a cursor, as in `/api/events`.
 */
export const eventSocket = fp<{ app: App }>(
  async (fastify, { app }) => {
    const wanted = new WeakMap<FastifyRequest, WantedStream>()
    fastify.get(
      '/ws',
      {
        websocket: true,
        config: { isOpen: true },
        preValidation: async (request) => {
          const ctx = createSocketContext(app, request, refuseSubscription)
          await assertGoodApiKey(ctx, 'live.events')
          // Count a read, because the database decides whether the caller may see these events.
          const { fairs, types } = Object(request.query)
          if (fairs !== undefined || /order|post/.test(String(types))) await app.accounts.limits.spend(ctx, 'read')
          const stream = await readEventQuery(app, request, () => ctx)
          fastify.liveSockets.assertRoom(request)
          wanted.set(request, stream)
        },
      },
      (socket, request) => {
        const stream = wanted.get(request)
        fastify.liveSockets.add(socket, request, stream?.wasFound)
        // Read and discard messages, so that pongs are processed.
        socket.on('message', () => fastify.liveSockets.countReads(socket))
        const ended = new AbortController()
        socket.once('close', () => ended.abort())
        const { timers } = app.platform
        const outlet = new SocketOutlet({ timers, socket, request, format: WEBSOCKET, signal: ended.signal })
        if (stream !== undefined) void serveEvents(outlet, stream)
      },
    )
  },
  { name: 'event-socket', dependencies: ['live-sockets'] },
)
