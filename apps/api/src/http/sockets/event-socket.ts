import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { WebSocket } from 'ws'
import type { App } from '../../context.ts'
import type { EventFormat } from '../../events/stream/channels.ts'
import { followEvents, type Outlet } from '../../features/live/follow-events.ts'
import { assertGoodApiKey } from '../../trpc.ts'
import { parseBearer } from '../calls/bearer.ts'
import { createSocketContext, refuseSubscription } from '../calls/call-context.ts'
import { BoundedSocket } from './bounded-socket.ts'
import { drain } from './drain.ts'
import { WEBSOCKET } from './event-formats.ts'
import { readEventQuery } from './event-query.ts'
import { waitUntilSettled } from './event-source.ts'

/** WebSocket close code of RFC 6455: the client should connect again. */
const TRY_AGAIN = 1013

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
        void followEvents({ app, ...readEventQuery(app, request), outlet: new SocketOutlet(socket, request) })
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

/** A WebSocket that gets events. */
class SocketOutlet implements Outlet {
  readonly format: EventFormat = WEBSOCKET
  readonly ip: string
  readonly #socket: WebSocket
  readonly #stream: FastifyRequest['raw']['socket']
  readonly #ended = new AbortController()

  constructor(socket: WebSocket, request: FastifyRequest) {
    this.ip = request.ip
    this.#socket = socket
    this.#stream = request.raw.socket
    socket.once('close', () => this.#ended.abort())
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  receive(bytes: Buffer): void {
    if (this.#socket instanceof BoundedSocket) this.#socket.sendFrames(bytes)
  }

  drained(): Promise<void> {
    return drain(this.#stream, this.signal)
  }

  /** The cursors of messages are enough: a client that got none has missed none. */
  moveTo(): void {}

  goLive(end: () => void): void {
    this.signal.addEventListener('abort', end)
    if (this.signal.aborted) end()
  }

  close(): void {
    this.#socket.close(TRY_AGAIN, 'please connect again')
  }
}
