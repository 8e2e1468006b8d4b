import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import type { FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import type { App } from '../../context.ts'
import { BadInputError, TooManyConnectionsError } from '../../errors.ts'
import { type AppRouter, appRouter } from '../../router.ts'
import { createUnknownPropertyError } from '../../validation/known-properties.ts'
import { createSocketContext } from '../calls/call-context.ts'
import { procedures } from '../calls/procedures.ts'
import { assertBatch } from '../trpc/batch.ts'
import { logIfUnexpected } from '../trpc/errors.ts'
import { SubscriptionFrames } from './subscription-frames.ts'

const SUBSCRIPTIONS_MAX = 32
/** A message of tRPC's own, which it answers before it reads anything. */
const PING = 'PING'
/** An id is repeated in each message of its subscription. */
const ID_LENGTH_MAX = 64
/** More subscriptions than this are not opened at once by anybody who is served. */
const OPENING_MAX = 256

/** Of all sockets. */
const shared = new SubscriptionFrames()

interface Opened {
  readonly socket: WebSocket
  readonly request: FastifyRequest
  readonly server: WebSocketServer
  /** Counts a message that is no call. */
  countNoise(): void
}

/** Serves tRPC's calls and subscriptions over one socket. */
export function serveTrpcSocket(app: App, { socket, request, server, countNoise }: Opened): void {
  const early = new EarlyStops((stop) => socket.emit('message', Buffer.from(stop), false))
  const serve = getWSConnectionHandler<AppRouter>({
    router: appRouter,
    wss: server,
    createContext: () => createSocketContext(app, request, createSlots(SUBSCRIPTIONS_MAX)),
    onError: ({ error, path }) => {
      if (path === undefined && isOfConnection(error.cause)) request.log.debug({ err: error.cause }, 'a socket broke')
      else logIfUnexpected(request.log, error, path)
    },
    experimental_encoder: {
      encode: (message) => {
        early.sent(message)
        // `never`: frames are for the socket's own `send`, to which tRPC hands whatever this returns.
        return (shared.of(message) as never) ?? JSON.stringify(message)
      },
      decode: (data) => {
        const message = readMessage(data, countNoise)
        early.received(message)
        return message
      },
    },
  })
  serve(socket, request.raw)
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary && data.length === PING.length && String(data) === PING) countNoise()
  })
}

/**
 * tRPC forgets a stop that comes while its subscription is still being opened, which would then stream for ever. Such a
 * stop is kept here and said again as soon as the subscription has started.
 */
class EarlyStops {
  /** Subscriptions being opened, and whether they were stopped meanwhile. */
  readonly #opening = new Map<unknown, boolean>()
  readonly #repeat: (stop: string) => void

  constructor(repeat: (stop: string) => void) {
    this.#repeat = repeat
  }

  received(message: unknown): void {
    for (const part of Array.isArray(message) ? message : [message]) {
      const { id, method } = Object(part)
      if (method === 'subscription') this.#open(id)
      else if (method === 'subscription.stop' && this.#opening.has(id)) this.#opening.set(id, true)
    }
  }

  /** What tRPC cannot read is never answered under its id: the oldest is forgotten when there are too many. */
  #open(id: unknown): void {
    this.#opening.set(id, false)
    const [oldest] = this.#opening.keys()
    if (this.#opening.size > OPENING_MAX) this.#opening.delete(oldest)
  }

  sent(message: unknown): void {
    const { id } = Object(message)
    const isStopped = this.#opening.get(id)
    // The first answer to a subscription says that it has started, or has failed.
    if (isStopped === undefined || !this.#opening.delete(id) || !isStopped) return
    setImmediate(() => this.#repeat(JSON.stringify({ id, method: 'subscription.stop' })))
  }
}

/** Whether a client broke the protocol or went away, which its socket tells of as an error of no call. */
function isOfConnection(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^(WS_ERR_|E[A-Z]+$)/.test(String(cause.code))
}

/** A socket's batches are bounded as those of HTTP are. Calls count by themselves. Throws `BadInputError`. */
function readMessage(data: unknown, countNoise: () => void): unknown {
  try {
    const message: unknown = parse(String(data))
    const parts = Array.isArray(message) ? message : [message]
    assertBatch(parts.map(readPath))
    for (const part of parts) {
      assertId(Object(part).id)
      assertNames(part)
    }
    if (!parts.every(isCall)) countNoise()
    return message
  } catch (error) {
    countNoise()
    throw error
  }
}

/** Whether a message gets as far as a procedure. */
function isCall(message: unknown): boolean {
  const { id, method } = Object(message)
  return id != null && procedures.get(readPath(message))?.type === method
}

/** One that is missing is tRPC's to refuse, where it needs one. */
function assertId(id: unknown): void {
  const isShort = typeof id === 'string' && id.length <= ID_LENGTH_MAX
  if (id == null || isShort || Number.isSafeInteger(id)) return
  throw new BadInputError(`An id must be an integer or a text of at most ${ID_LENGTH_MAX} characters.`)
}

const MESSAGE_NAMES = ['id', 'jsonrpc', 'method', 'params']
const PARAMS_NAMES = ['path', 'input', 'lastEventId']

/** A misspelt `input` would make a call without one. Connection parameters, which nobody reads, are another message. */
function assertNames(message: unknown): void {
  const { method, params } = Object(message)
  if (method === 'connectionParams') return
  assertOnly(message, MESSAGE_NAMES)
  assertOnly(params, PARAMS_NAMES)
}

function assertOnly(value: unknown, known: readonly string[]): void {
  const unknown = Object.keys(Object(value)).find((name) => !known.includes(name))
  if (unknown !== undefined) throw createUnknownPropertyError([unknown], known)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadInputError('The message is not valid JSON.')
  }
}

function readPath(message: unknown): string {
  const { params } = Object(message)
  return String(Object(params).path)
}

/** So many places that can be held at once. */
function createSlots(most: number): () => () => void {
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
