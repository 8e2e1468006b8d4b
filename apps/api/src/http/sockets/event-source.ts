import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { DatabaseAwayError, MethodNotAllowedError } from '../../errors.ts'
import { followEvents, type WantedEvents } from '../../features/live/follow-events.ts'
import type { Listener } from '../../features/live/replay.ts'
import { assertGoodApiKey } from '../../trpc.ts'
import { parseBearer } from '../calls/bearer.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { countRead } from '../calls/count-read.ts'
import { sendFailure } from '../error-response.ts'
import { EventConnection } from './event-connection.ts'
import { readEventQuery } from './event-query.ts'

const PATH = '/api/events'
/** Less than the time after which proxies, and this server, end an idle connection. */
const HEARTBEAT_EVERY_MS = 15_000
/** Max time until listeners may connect to a server that has just started. */
const SETTLE_MAX_MS = 10_000

/** `/api/events`: events of the market as Server-Sent Events, except those of hidden tokens. Resumes after a cursor. */
export const eventSource = fp<{ app: App }>(
  async (fastify, { app }) => {
    const connections = new Set<EventConnection>()
    const heartbeats = setInterval(() => {
      for (const connection of connections) connection.beat()
    }, HEARTBEAT_EVERY_MS).unref()
    fastify.addHook('preClose', async () => {
      clearInterval(heartbeats)
      for (const connection of connections) connection.close()
    })
    const open = (request: FastifyRequest, reply: FastifyReply): EventConnection => {
      const release = fastify.liveSockets.hold(request, () => connection.close())
      reply.raw.once('close', () => {
        release()
        connections.delete(connection)
        app.live.streamMetrics.listeners.set(connections.size)
      })
      const connection = new EventConnection(app, { request, reply })
      connections.add(connection)
      app.live.streamMetrics.listeners.set(connections.size)
      return connection
    }
    fastify.get(PATH, {
      exposeHeadRoute: false,
      config: { isOpen: true, isStream: true },
      errorHandler: sendFailure,
      onRequest: [countRead(app), checkKey(app)],
      handler: async (request, reply) => {
        const query = readEventQuery(app, request)
        await waitUntilSettled(app)
        // The client may have left meanwhile.
        if (!request.raw.socket.destroyed) await serveEvents({ app, outlet: open(request, reply) }, query)
        return reply
      },
    })
    refuseOtherMethods(fastify)
  },
  { name: 'event-source', dependencies: ['live-sockets', 'metrics'] },
)

/** Until then no cursor could be sent. Throws `DatabaseAwayError`. */
export async function waitUntilSettled({ live: { stream } }: App): Promise<void> {
  await stream.whenSettled(AbortSignal.timeout(SETTLE_MAX_MS))
  if (stream.position === null) throw new DatabaseAwayError()
}

/** Never rejects: where the journal cannot be read, the connection is closed, and its client resumes. */
export async function serveEvents(listener: Listener & { readonly app: App }, wanted: WantedEvents): Promise<void> {
  const { app, outlet } = listener
  try {
    await followEvents(listener, wanted)
  } catch (error) {
    if (!outlet.signal.aborted) app.platform.log.warn({ err: error }, 'a listener could not catch up')
    outlet.close()
  }
}

/** An `onRequest` hook that refuses bad API keys like a call does. */
function checkKey(app: App): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    if (parseBearer(request) !== null) await assertGoodApiKey(createHttpContext(app, request, reply), 'live.events')
  }
}

function refuseOtherMethods(fastify: FastifyInstance): void {
  fastify.route({
    method: ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: PATH,
    config: { isOpen: true },
    errorHandler: sendFailure,
    // Refuse before the body is read.
    onRequest: async (_request, reply) => {
      reply.header('allow', 'GET')
      throw new MethodNotAllowedError('This address takes GET only.')
    },
    handler: async () => {},
  })
}
