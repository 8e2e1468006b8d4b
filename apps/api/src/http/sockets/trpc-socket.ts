import { procedures } from '@papermoon/contract'
import { TokenNotFoundError } from '@papermoon/engine'
import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import type { FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import type { App } from '../../context.ts'
import { BadInputError, TooManyConnectionsError } from '../../errors.ts'
import { LiveSubscription } from '../../events/stream/live-subscription.ts'
import { appRouter } from '../../router.ts'
import { assertBatch, logIfUnexpected } from '../../trpc.ts'
import { createUnknownPropertyError } from '../../validation/known-properties.ts'
import { createTooLargeError, OVERSIZED_JSON, parseBoundedJson } from '../../validation/plain-input.ts'
import { createSocketContext } from '../calls/call-context.ts'
import { SocketOutlet, toTrpcFormat } from './socket-outlet.ts'

const SUBSCRIPTIONS_MAX = 32
/**
 * Messages that tRPC sends to keep a connection alive, and accepts without decoding. Both messages have the same
 * length.
 */
const KEEP_ALIVE = new Set(['PING', 'PONG'])
const KEEP_ALIVE_BYTES = 4
/** Max length of an id in characters. The length is limited, because each message of a subscription repeats the id. */
const ID_LENGTH_MAX = 64
/** Max number of subscriptions that are being opened at once. Usually, other limits are reached first. */
const OPENING_MAX = 256
/** Max number of messages per socket that are not JSON. The project's own clients send no such messages. */
const UNREADABLE_MAX = 10
/** A WebSocket close code of RFC 6455. */
const POLICY = 1008

interface Opened {
  readonly socket: WebSocket
  readonly request: FastifyRequest
  readonly server: WebSocketServer
  /** Counts a message that is not a call of a procedure. */
  countReads(): void
}

/** Serves calls and subscriptions of tRPC over one socket. */
export function serveTrpcSocket(app: App, { socket, request, server, countReads }: Opened): void {
  const countUnreadable = createUnreadableCounter(socket)
  const early = new EarlyStops((stop) => socket.emit('message', Buffer.from(stop), false))
  const serve = getWSConnectionHandler({
    router: appRouter,
    wss: server,
    createContext: () => createSocketContext(app, request, createSlots(SUBSCRIPTIONS_MAX)),
    onError: ({ error, path }) => {
      if (path === undefined && isOfConnection(error.cause)) request.log.debug({ err: error.cause }, 'a socket broke')
      else logIfUnexpected(request, error, path)
    },
    experimental_encoder: {
      encode: (message) => {
        early.sent(message)
        return startSubscription({ timers: app.platform.timers, socket, request }, message)
          ? ''
          : JSON.stringify(message)
      },
      decode: (data) => {
        const message = readMessage(data, { countReads, countUnreadable })
        early.received(message)
        return message
      },
    },
  })
  serve(socket, request.raw)
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary && data.length === KEEP_ALIVE_BYTES && KEEP_ALIVE.has(String(data))) countReads()
  })
}

type Subscribed = Pick<Opened, 'socket' | 'request'> & Pick<App['platform'], 'timers'>

/** If the message opens a subscription, makes the socket send the subscription's events. */
function startSubscription({ timers, socket, request }: Subscribed, message: unknown): boolean {
  const { id, jsonrpc, result } = Object(message)
  const subscription: unknown = result?.data
  if (!(subscription instanceof LiveSubscription)) return false
  const { ids, signal } = subscription
  const format = toTrpcFormat({ id, jsonrpc }, ids)
  const hide = () => subscription.fail(new TokenNotFoundError())
  subscription.sendTo(new SocketOutlet({ timers, socket, request, format, signal, hide }))
  return true
}

/**
 * Works around a bug in tRPC: if a client stops a subscription that is still being opened, tRPC ignores this and
 * streams for ever. This class repeats such a stop after the subscription has started.
 */
class EarlyStops {
  /** Ids of the subscriptions that are being opened, and whether each was stopped meanwhile. */
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

  /** Adds the id of a subscription. The number of ids is limited. */
  #open(id: unknown): void {
    this.#opening.set(id, false)
    const [oldest] = this.#opening.keys()
    if (this.#opening.size > OPENING_MAX) this.#opening.delete(oldest)
  }

  sent(message: unknown): void {
    const { id } = Object(message)
    const isStopped = this.#opening.get(id)
    // The first response says that the subscription has started or failed.
    if (isStopped === undefined || !this.#opening.delete(id) || !isStopped) return
    setImmediate(() => this.#repeat(JSON.stringify({ id, method: 'subscription.stop' })))
  }
}

/** Returns whether the connection caused an error, because the client violated the protocol or disconnected. */
function isOfConnection(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^(WS_ERR_|E[A-Z]+$)/.test(String(cause.code))
}

/**
 * Returns a function that counts unreadable messages. Above the limit, closes the socket and ignores further messages.
 */
function createUnreadableCounter(socket: WebSocket): () => void {
  let count = 0
  return () => {
    count++
    if (count <= UNREADABLE_MAX) return
    socket.removeAllListeners('message')
    socket.close(POLICY, 'too many unreadable messages')
  }
}

type Counters = Readonly<Record<'countReads' | 'countUnreadable', () => void>>

/**
 * Parses and checks a message. Batches have the same limits as in HTTP requests. Messages that are not calls count as
 * reads. Throws `BadInputError`.
 */
function readMessage(data: unknown, { countReads, countUnreadable }: Counters): unknown {
  try {
    const message = parse(String(data), countUnreadable)
    const parts = Array.isArray(message) ? message : [message]
    assertBatch(parts.map(readPath))
    for (const part of parts) {
      assertId(Object(part).id)
      assertNames(part)
    }
    if (!parts.every(isCall)) countReads()
    return message
  } catch (error) {
    countReads()
    throw error
  }
}

/** Returns whether a message is a call of a procedure. */
function isCall(message: unknown): boolean {
  const { id, method } = Object(message)
  return id != null && procedures.get(readPath(message))?.type === method
}

/** Checks a message's id. tRPC itself rejects a missing id. */
function assertId(id: unknown): void {
  const isShort = typeof id === 'string' && id.length <= ID_LENGTH_MAX
  if (id == null || isShort || Number.isSafeInteger(id)) return
  throw new BadInputError(`An id must be an integer or a text of at most ${ID_LENGTH_MAX} characters.`)
}

const MESSAGE_NAMES = ['id', 'jsonrpc', 'method', 'params']
const PARAMS_NAMES = ['path', 'input', 'lastEventId']

/** Rejects unknown properties, because a misspelt `input` would otherwise cause a call without input. */
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

function parse(text: string, countUnreadable: () => void): unknown {
  let message: unknown
  try {
    message = parseBoundedJson(text)
  } catch {
    countUnreadable()
    throw new BadInputError('The message is not valid JSON.')
  }
  if (message === OVERSIZED_JSON) throw createTooLargeError()
  return message
}

function readPath(message: unknown): string {
  const { params } = Object(message)
  return String(Object(params).path)
}

/** Returns a function that gives out at most `most` slots. Each call returns a function that releases the slot. */
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
