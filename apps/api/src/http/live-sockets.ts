import websocket from '@fastify/websocket'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Gauge } from 'prom-client'
import { WebSocket } from 'ws'
import { addressKey } from '../client-address.ts'
import type { App } from '../context.ts'
import { TooManyConnectionsError } from '../errors.ts'
import { SESSION_COOKIE } from './session-cookie.ts'

/** No message of a client comes near it. */
const MESSAGE_BYTES_MAX = 32_768
/** A reader that has so much unread is too slow and is cut off. */
const UNREAD_BYTES_MAX = 1_048_576
const SOCKETS_MAX = 20_000
/** Lifted where limits are off. */
const SOCKETS_PER_ADDRESS_MAX = 100
const PING_EVERY_MS = 30_000
/** How long a client may take to close when the server does. */
const GOODBYE_MS = 1_000

/** WebSocket close codes of RFC 6455. */
const GOING_AWAY = 1001
const POLICY = 1008

/** A socket that is cut off instead of buffering without end. */
class BoundedSocket extends WebSocket {
  override send(...parts: unknown[]): void {
    if (this.readyState !== WebSocket.OPEN) return
    if (this.bufferedAmount > UNREAD_BYTES_MAX) this.terminate()
    else Reflect.apply(super.send, this, parts)
  }
}

interface Client {
  readonly address: string
  readonly sessionToken: string | null
  isAlive: boolean
}

/**
 * WebSockets of every door: bounded in number, in what they send and in what they leave unread; pinged; closed when
 * their session ends.
 */
export const liveSockets = fp<{ app: App }>(
  async (fastify, { app }) => {
    const clients = new Map<WebSocket, Client>()
    const perAddress = new Map<string, number>()
    const gauge = new Gauge({ name: 'papermoon_sockets', help: 'Open WebSockets.', registers: [app.metrics] })

    const assertRoom = (request: FastifyRequest): void => {
      const here = perAddress.get(addressKey(request.ip)) ?? 0
      const isFull = app.config.rateLimit && here >= SOCKETS_PER_ADDRESS_MAX
      if (isFull || clients.size >= SOCKETS_MAX) throw new TooManyConnectionsError()
    }
    const remove = (socket: WebSocket): void => {
      const client = clients.get(socket)
      if (client === undefined || !clients.delete(socket)) return
      const left = (perAddress.get(client.address) ?? 1) - 1
      if (left === 0) perAddress.delete(client.address)
      else perAddress.set(client.address, left)
      gauge.set(clients.size)
    }
    const add = (socket: WebSocket, request: FastifyRequest): void => {
      const address = addressKey(request.ip)
      const client = { address, sessionToken: request.cookies[SESSION_COOKIE] ?? null, isAlive: true }
      clients.set(socket, client)
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
      gauge.set(clients.size)
      socket.on('pong', () => {
        client.isAlive = true
      })
      socket.once('close', () => remove(socket))
    }

    const stopListening = app.sessions.onEnd((token) => {
      for (const [socket, client] of clients) if (client.sessionToken === token) socket.close(POLICY, 'signed out')
    })
    const pings = setInterval(() => pingAll(clients), PING_EVERY_MS).unref()

    await fastify.register(websocket, {
      // The types ask for the whole module of ws where ws itself takes the class.
      options: {
        maxPayload: MESSAGE_BYTES_MAX,
        perMessageDeflate: false,
        WebSocket: BoundedSocket as never,
      },
      // A client that breaks its connection, or the protocol, is not our error.
      errorHandler: (error, socket, request) => {
        request.log.debug({ err: error }, 'a socket failed')
        socket.terminate()
      },
      preClose(done) {
        clearInterval(pings)
        stopListening()
        this.websocketServer.close()
        sayGoodbye(clients.keys(), done)
      },
    })
    fastify.decorate('liveSockets', { assertRoom, add })
  },
  { name: 'live-sockets', dependencies: ['@fastify/cookie'] },
)

/** What the socket doors use. */
export interface LiveSockets {
  /** Throws `TooManyConnectionsError` when the client, or everybody, has too many. */
  assertRoom(request: FastifyRequest): void
  /** From now on the socket is counted, pinged and closed with its session. */
  add(socket: WebSocket, request: FastifyRequest): void
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly liveSockets: LiveSockets
  }
}

function pingAll(clients: ReadonlyMap<WebSocket, Client>): void {
  for (const [socket, client] of clients) {
    if (!client.isAlive) socket.terminate()
    else {
      client.isAlive = false
      socket.ping()
    }
  }
}

function sayGoodbye(sockets: Iterable<WebSocket>, done: () => void): void {
  const open = [...sockets]
  for (const socket of open) socket.close(GOING_AWAY, 'the server stops')
  if (open.length === 0) {
    done()
    return
  }
  const closed = Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  const cut = setTimeout(() => {
    for (const socket of open) socket.terminate()
  }, GOODBYE_MS)
  void closed.then(() => {
    clearTimeout(cut)
    done()
  })
}
