import fp from 'fastify-plugin'
import type { WebSocket } from 'ws'
import type { App } from '../../context.ts'
import { toEventJson } from '../../events/event-json.ts'
import { assertQuery } from '../rest/query-parameters.ts'
import { sendFrames } from './bounded-socket.ts'
import { TextFrames } from './text-frames.ts'

/**
 * `/ws`: each event of the market as one JSON object with `type` and `tokenId`, to everybody who listens; but those of
 * tokens that an operator hides.
 */
export const eventSocket = fp<{ app: App }>(
  async (fastify, { app }) => {
    const readers = new Set<WebSocket>()
    let texts: string[] = []
    const tell = () => {
      const frames = new TextFrames(texts)
      texts = []
      for (const reader of readers) sendFrames(reader, frames)
    }
    const detach = app.feed.onEvent((event) => {
      if (readers.size === 0 || app.feed.isHidden(event.tokenId)) return
      // Events of one batch come one right after another: they go out together, before anything else happens.
      if (texts.length === 0) queueMicrotask(tell)
      texts.push(toEventJson(event))
    })
    fastify.addHook('onClose', async () => detach())

    fastify.get(
      '/ws',
      {
        websocket: true,
        preValidation: async (request) => {
          assertQuery(request.query)
          fastify.liveSockets.assertRoom(request)
        },
      },
      (socket, request) => {
        fastify.liveSockets.add(socket, request)
        readers.add(socket)
        socket.once('close', () => readers.delete(socket))
        // What a reader says is read, so that pongs come through, and dropped.
        socket.on('message', () => fastify.liveSockets.countNoise(socket))
      },
    )
  },
  { name: 'event-socket', dependencies: ['live-sockets'] },
)
