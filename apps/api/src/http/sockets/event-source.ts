import { BOUNDS } from '@papermoon/contract/bounds'
import { eventStreamInput } from '@papermoon/contract/live'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { findUserId } from '../../caller.ts'
import type { App, Context } from '../../context.ts'
import { CrossOriginError, MethodNotAllowedError } from '../../errors.ts'
import { DEFAULT_FILTER, type EventFormat } from '../../events/stream/channels.ts'
import { OTHER_MARKET } from '../../events/stream/event-text.ts'
import type { Outlet } from '../../events/stream/live-subscription.ts'
import { chooseMarket, type FairMarket, watchMember } from '../../features/fairs/access.ts'
import { followEvents, type WantedEvents } from '../../features/live/follow-events.ts'
import { findViewer } from '../../features/talk/blocked-players.ts'
import { assertGoodApiKey } from '../../trpc.ts'
import { assertQuery, readQuery } from '../../validation/known-properties.ts'
import { createBadInput, listFieldErrors, toFieldError } from '../../validation/messages.ts'
import {
  countRead,
  createHttpContext,
  createSocketContext,
  parseBearer,
  refuseSubscription,
} from '../calls/call-context.ts'
import { sendFailure } from '../error-response.ts'
import { sameOriginGuard } from '../security/security.ts'
import { chooseSse, drain, SocketOutlet, WEBSOCKET } from './socket-outlet.ts'

const PATH = '/api/events'
/**
 * Time between two heartbeats in ms. This time is shorter than the idle time after which proxies close a connection.
 */
const HEARTBEAT_EVERY_MS = 15_000

/**
 * `/api/events`: sends the events of the market, or of fairs, as Server-Sent Events. Events of hidden tokens are left
 * out. A client can resume the stream from a cursor.
 */
export const eventSource = fp<{ app: App }>(
  async (fastify, { app }) => {
    const connections = new Set<EventConnection>()
    const stopBeating = app.platform.timers.every(HEARTBEAT_EVERY_MS, () => {
      for (const connection of connections) connection.beat()
    })
    fastify.addHook('preClose', async () => {
      stopBeating()
      for (const connection of connections) connection.close()
    })
    const open = (
      request: FastifyRequest,
      reply: FastifyReply,
      { market, wasFound }: WantedStream,
    ): EventConnection => {
      fastify.liveSockets.assertRoom(request)
      const release = fastify.liveSockets.hold(request, () => connection.close(), wasFound)
      reply.raw.once('close', () => {
        release()
        connections.delete(connection)
        app.live.streamMetrics.listeners.set(connections.size)
      })
      const connection = new EventConnection(market.app, { request, reply })
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
        const stream = await readEventQuery(app, request, () => createHttpContext(app, request, reply))
        // Check first whether the client has disconnected meanwhile.
        if (!request.raw.socket.destroyed) await serveEvents(open(request, reply, stream), stream)
        return reply
      },
    })
    refuseOtherMethods(fastify)
  },
  { name: 'event-source', dependencies: ['live-sockets', 'metrics'] },
)

/**
 * Sends events, and never rejects. If the journal cannot be read, the function closes the connection, and the client
 * reconnects. The function also closes the connection when its player leaves one of the fairs.
 */
async function serveEvents(outlet: Outlet, { market, ...wanted }: WantedStream): Promise<void> {
  const { app } = market
  const stopLooking = watchMember(market, () => outlet.close())
  outlet.signal.addEventListener('abort', stopLooking)
  if (outlet.signal.aborted) stopLooking()
  try {
    await followEvents({ app, outlet }, wanted)
  } catch (error) {
    if (!outlet.signal.aborted) app.platform.log.warn({ err: error }, 'a listener could not catch up')
    outlet.close()
  }
}

/** Returns an `onRequest` hook that rejects invalid API keys in the same way as a procedure call. */
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
    // Reject the request before its body is read.
    onRequest: async (_request, reply) => {
      reply.header('allow', 'GET')
      throw new MethodNotAllowedError('This URL accepts only GET.')
    },
    handler: async () => {},
  })
}

/** Max number of unread bytes before a client's stream is closed. */
const UNREAD_BYTES_MAX = BOUNDS.unreadBytesOfStream
/**
 * How long clients wait before they reconnect, in ms. A random part is added to this time, so that clients do not all
 * reconnect at once.
 */
const RETRY_MS = 1_000
const RETRY_SPREAD_MS = 2_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // This header prevents nginx from buffering events.
  'x-accel-buffering': 'no',
}

/** One open response of `/api/events`. The server writes events to its socket as chunks that all clients share. */
class EventConnection implements Outlet {
  readonly format: EventFormat
  readonly ip: string
  readonly isStrict = false
  readonly #app: App
  readonly #response: FastifyReply['raw']
  readonly #socket: FastifyRequest['raw']['socket']
  readonly #ended = new AbortController()
  #endSubscription: (() => void) | null = null

  /** Takes over the response from Fastify and sends its headers. */
  constructor(app: App, { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply }) {
    this.#app = app
    this.ip = request.ip
    this.#socket = request.raw.socket
    this.#response = reply.hijack().raw
    this.#response.once('close', () => this.#end())
    this.#response.writeHead(200, { ...toHeaders(reply), ...HEADERS }).flushHeaders()
    this.format = chooseSse({ isChunked: this.#response.chunkedEncoding })
    this.#write(`retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n\n`)
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  receive(bytes: Buffer): void {
    if (this.signal.aborted) return
    const unread = this.#socket.writableLength
    if (unread > 0 && unread + bytes.length > UNREAD_BYTES_MAX) {
      this.#app.live.streamMetrics.cutOff.inc()
      this.#socket.destroy()
    } else this.#socket.write(bytes)
  }

  drained(): Promise<void> {
    return drain(this.#app.platform.timers, this.#socket, this.signal)
  }

  /** Sends an id without data. The message is not an event, but a browser can resume from its id. */
  moveTo(cursor: string): void {
    this.#write(`id: ${cursor}\n\n`)
  }

  goLive(end: () => void): void {
    this.#endSubscription = end
    if (this.signal.aborted) end()
    else this.moveTo(this.#app.live.stream.cursor)
  }

  /**
   * Sends a comment, so that both sides notice a broken connection. If nothing else was sent, also sends the cursor
   * from which the client can resume.
   */
  beat(): void {
    this.#write(': heartbeat\n')
    if (this.#endSubscription !== null) this.moveTo(this.#app.live.stream.cursor)
  }

  /** Ends the response. After that, the client reconnects and resumes. */
  close(reason?: 'too_slow'): void {
    if (this.signal.aborted) return
    if (reason !== undefined) this.#write(`: ${reason}\n\n`)
    this.#end()
    this.#response.end()
  }

  #write(text: string): void {
    this.receive(this.format.toBytes([text]))
  }

  #end(): void {
    this.#ended.abort()
    this.#endSubscription?.()
  }
}

function toHeaders(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders())
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
}

/**
 * `/ws`: sends the events of the market, or of fairs, as JSON objects with `type` and `tokenId`. The stream leaves out
 * events of hidden tokens. With `after`, the stream resumes after a cursor, as `/api/events` does.
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
          // Count a read, because a database query decides whether the caller may see these events.
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

const CURSOR_EXPECTED = 'must be a cursor: the id of an event of /api/events, or the cursor of a message of /ws'

/** The events that a request asks for, and their market. */
interface WantedStream extends WantedEvents {
  readonly market: FairMarket
  /** Whether the caller's session or API key identified a player. */
  readonly wasFound: boolean
}

/**
 * Reads the query, and `Last-Event-ID`, which is newer than `after` in the URL. Throws `BadInputError`, and
 * `FairNotFoundError` for a fair that the caller may not see. Throws `NotSignedInError` if a caller without a key or
 * session asks for orders, because only the player who placed them may see them.
 */
async function readEventQuery(app: App, request: FastifyRequest, createContext: () => Context): Promise<WantedStream> {
  const { query, headers } = request
  assertQuery(query, Object.keys(eventStreamInput.shape))
  const input = eventStreamInput.safeParse(readQuery(query))
  if (!input.success) throw createBadInput(listFieldErrors(input.error))
  const { tokens = null, fairs = null, types, after } = input.data
  const kinds = types === undefined ? DEFAULT_FILTER.kinds : new Set(types)
  const market =
    fairs === null
      ? { app, member: null }
      : await chooseMarket(app, { fairs }, () => findVisitor(createContext(), request))
  const player = kinds.has('order') ? await findVisitor(createContext(), request) : undefined
  if (player === null) throw new NotSignedInError()
  const listener = kinds.has('post') ? await findVisitor(createContext(), request) : null
  const viewer = await findViewer(app.platform.db, listener)
  const lastEventId = headers['last-event-id']
  const hasId = typeof lastEventId === 'string' && lastEventId !== ''
  const text = hasId ? lastEventId : after
  const { cursors } = market.app.live.stream
  const cursor = text === undefined ? null : cursors.parse(text)
  if (text !== undefined && cursor === null) {
    const name = hasId ? 'Last-Event-ID' : 'after'
    throw createBadInput([toFieldError([name], cursors.isOfOther(text) ? OTHER_MARKET : CURSOR_EXPECTED)])
  }
  const wasFound = (player ?? viewer ?? market.member ?? parseBearer(request)) !== null
  return { market, wasFound, filter: { tokens, fairs, kinds, player, viewer }, cursor }
}

/**
 * Finds the player who opens the stream. Ignores a session if a page of another origin sent it, because pages of every
 * origin can open a stream.
 */
async function findVisitor(ctx: Context, request: FastifyRequest): Promise<UserId | null> {
  try {
    if (ctx.apiKey === null) sameOriginGuard(ctx.app.platform.config)(request)
  } catch (error) {
    if (error instanceof CrossOriginError) return null
    throw error
  }
  return await findUserId(ctx)
}
