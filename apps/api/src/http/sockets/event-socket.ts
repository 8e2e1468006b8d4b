import fp from 'fastify-plugin'
import type { WebSocket } from 'ws'
import type { App } from '../../context.ts'
import { toEventJson } from '../../events/event-json.ts'
import { assertQuery } from '../rest/query-parameters.ts'
import { sendFrames } from './bounded-socket.ts'
import { TextFrames } from './text-frames.ts'

/** `/ws`: every event of the market as a JSON object with `type` and `tokenId`, except those of hidden tokens. */
export const eventSocket = fp<{ app: App }>(
  async (fastify, { app }) => {
    const readers = new Set<WebSocket>()
    let texts: string[] = []
    const sendAll = () => {
      const frames = new TextFrames(texts)
      texts = []
      for (const reader of readers) sendFrames(reader, frames)
    }
    const detach = app.feed.onEvent((event) => {
      if (readers.size === 0 || app.feed.isHidden(event.tokenId)) return
      // The events of a batch arrive in one turn of the event loop and are sent together at its end.
      if (texts.length === 0) queueMicrotask(sendAll)
      texts.push(toEventJson(event))
    })
    fastify.addHook('onClose', async () => detach())

    fastify.get(
      '/ws',
      {
        websocket: true,
        config: { isOpen: true },
        preValidation: async (request) => {
          assertQuery(request.query)
          fastify.liveSockets.assertRoom(request)
        },
      },
      (socket, request) => {
        fastify.liveSockets.add(socket, request)
        readers.add(socket)
        socket.once('close', () => readers.delete(socket))
        // Messages are read, so that pongs get through, and discarded.
        socket.on('message', () => fastify.liveSockets.countNoise(socket))
      },
    )
  },
  { name: 'event-socket', dependencies: ['live-sockets'] },
)
