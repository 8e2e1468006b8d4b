import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import type { FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import type { App } from '../context.ts'
import { BadInputError, TooManyConnectionsError } from '../errors.ts'
import { type AppRouter, appRouter } from '../router.ts'
import { socketContext } from './call-context.ts'
import { assertBatch } from './trpc-batch.ts'
import { logIfUnexpected } from './trpc-errors.ts'

const SUBSCRIPTIONS_MAX = 32

interface Opened {
  readonly socket: WebSocket
  readonly request: FastifyRequest
  readonly server: WebSocketServer
}

/** Serves tRPC's calls and subscriptions over one socket. */
export function serveTrpcSocket(app: App, { socket, request, server }: Opened): void {
  const serve = getWSConnectionHandler<AppRouter>({
    router: appRouter,
    wss: server,
    createContext: () => socketContext(app, request, places(SUBSCRIPTIONS_MAX)),
    onError: ({ error, path }) => logIfUnexpected(request.log, error, path),
    experimental_encoder: { encode: (message) => JSON.stringify(message), decode: readMessage },
  })
  serve(socket, request.raw)
}

/** A socket's batches are bounded as those of HTTP are. */
function readMessage(data: unknown): unknown {
  const message: unknown = parse(String(data))
  if (Array.isArray(message)) assertBatch(message.map(pathOf))
  return message
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadInputError('The message is not valid JSON.')
  }
}

function pathOf(message: unknown): string {
  const { params } = Object(message)
  return String(Object(params).path)
}

/** So many places that can be held at once. */
function places(most: number): () => () => void {
  let held = 0
  return () => {
    if (held >= most) throw new TooManyConnectionsError()
    held++
    let isHeld = true
    return () => {
      if (isHeld) held--
      isHeld = false
    }
  }
}
