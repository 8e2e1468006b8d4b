import websocket from '@fastify/websocket'
import { BOUNDS } from '@papermoon/contract/bounds'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Gauge } from 'prom-client'
import { WebSocket } from 'ws'
import type { App, CredentialId, CredentialReader } from '../../context.ts'
import { TooManyConnectionsError } from '../../errors.ts'
import { identifySecret } from '../../features/account/credentials.ts'
import { toAddressKey } from '../../security/client-address.ts'
import { parseBearer, readTokenCookie, SESSION_COOKIE } from '../calls/call-context.ts'
import { getDataHeaders, refuseUnreadable } from '../create-fastify.ts'
import { type ConnectionCapacity, Counter } from './connection-limits.ts'
import { BoundedSocket } from './socket-outlet.ts'

/** Max size of a message in bytes. No valid message is so large. */
const MESSAGE_BYTES_MAX = 32_768
/** Number of bytes from a client that count as one read. The content of these bytes may be counted, too. */
const BYTES_PER_READ = 4_096
/** Max number of sockets per IP address. RATE_LIMIT=off switches this limit off. */
const SOCKETS_PER_ADDRESS_MAX = BOUNDS.streamsPerAddress
const PING_EVERY_MS = 30_000
/**
 * Time between two checks of credentials in the database, in ms. These checks find credentials that another node or an
 * operator ended.
 */
const CHECK_EVERY_MS = 1_500
/** How long clients may take to close their sockets when the server stops, in ms. */
const GOODBYE_MS = 1_000

/** WebSocket close codes of RFC 6455. */
const GOING_AWAY = 1001
const POLICY = 1008

/** The session or API key with which a socket was opened. */
interface Credential {
  readonly id: CredentialId
  readonly watch: CredentialReader
  /**
   * Whether the credential was valid at the last check, or identified the connection's player. If false, the connection
   * belongs to a guest and stays open.
   */
  wasValid: boolean
}

/** A long-lived connection other than a WebSocket. */
interface LongConnection {
  readonly credential: Credential | null
  readonly end: () => void
}

interface Client {
  readonly ip: string
  readonly credential: Credential | null
  isAlive: boolean
  /** Number of reads as which the current chunk of bytes counts in the rate limit. */
  pendingReads: number
}

/**
 * Adds the features that all WebSockets share: limits on their number and on sent and unread data, pings, and closing
 * when their credential ends.
 */
export const liveSockets = fp<{ app: App; room: ConnectionCapacity }>(
  async (fastify, { app, room }) => {
    const sockets = new LiveSockets(app, room)
    const { timers } = app.platform
    const stops = [
      ...[app.accounts.sessions, app.accounts.apiKeys].map((watch) =>
        watch.cache.onRevoked((id) => sockets.endCredential(id)),
      ),
      timers.every(PING_EVERY_MS, () => sockets.pingAll()),
      timers.every(CHECK_EVERY_MS, () => void sockets.closeEnded()),
    ]
    await fastify.register(websocket, {
      // Cast the class, because the types require the whole module of ws, but ws itself needs only the class.
      options: { maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false, WebSocket: BoundedSocket as never },
      // If a client breaks its connection or the protocol, this is not a server error.
      errorHandler: (error, socket, request) => {
        request.log.debug({ err: error }, 'a socket failed')
        socket.terminate()
      },
      preClose(done) {
        for (const stop of stops) stop()
        this.websocketServer.close()
        void sockets.sayGoodbye().then(() => done())
      },
    })
    // Respond to invalid handshakes here, because ws would respond with HTML and without this server's headers.
    const refuse = refuseUnreadable({ ...getDataHeaders(app.platform.config), 'sec-websocket-version': '13' })
    fastify.websocketServer.on('wsClientError', refuse)
    fastify.decorate('liveSockets', sockets)
  },
  { name: 'live-sockets', dependencies: ['@fastify/cookie'] },
)

declare module 'fastify' {
  interface FastifyInstance {
    readonly liveSockets: LiveSockets
  }
}

/** Counts and closes the open sockets of this node. All socket routes share one object. */
export class LiveSockets {
  readonly #clients = new Map<WebSocket, Client>()
  readonly #perAddress = new Counter()
  readonly #held = new Set<LongConnection>()
  readonly #gauge: Gauge
  readonly #max: number
  readonly #perAddressMax: number
  readonly #app: App
  #isChecking = false

  constructor(app: App, room: ConnectionCapacity) {
    const { config, metrics } = app.platform
    this.#app = app
    this.#gauge = new Gauge({ name: 'papermoon_sockets', help: 'Open WebSockets.', registers: [metrics] })
    this.#max = room.sockets
    this.#perAddressMax = config.rateLimit ? SOCKETS_PER_ADDRESS_MAX : room.sockets
  }

  /** Number of open sockets. */
  get open(): number {
    return this.#clients.size
  }

  /** Throws `TooManyConnectionsError` if the client's IP address or the server has too many connections. */
  assertRoom(request: FastifyRequest): void {
    const here = this.#perAddress.count(toAddressKey(request.ip))
    if (here >= this.#perAddressMax || this.#clients.size + this.#held.size >= this.#max)
      throw new TooManyConnectionsError()
  }

  /**
   * Counts another long-lived connection of the client's IP address, such as an event stream or a download. Calls `end`
   * when its session or API key ends. `wasFound` says whether that credential identified the player. Returns a function
   * that ends the counting of the connection.
   */
  hold(request: FastifyRequest, end: () => void, wasFound: boolean): () => void {
    const held = { credential: this.#readCredential(request, wasFound), end }
    const release = this.#perAddress.add(toAddressKey(request.ip))
    this.#held.add(held)
    return () => {
      this.#held.delete(held)
      release()
    }
  }

  /** Registers a socket. From then on, the socket is counted, pinged, and closed when its credential ends. */
  add(socket: WebSocket, request: FastifyRequest, wasFound = false): void {
    const credential = this.#readCredential(request, wasFound)
    const client = { ip: request.ip, credential, isAlive: true, pendingReads: 0 }
    if (socket instanceof BoundedSocket) socket.stream = request.raw.socket
    this.#clients.set(socket, client)
    const release = this.#perAddress.add(toAddressKey(request.ip))
    this.#gauge.set(this.#clients.size)
    socket.on('pong', () => {
      // Count a pong as a read if no ping requested it.
      if (client.isAlive) this.countReads(socket)
      client.isAlive = true
    })
    socket.on('ping', () => this.countReads(socket))
    this.#countBytes(socket, request)
    socket.once('close', () => {
      this.#clients.delete(socket)
      release()
      this.#gauge.set(this.#clients.size)
    })
  }

  /** Counts bytes, because there is no event for frames that do not end a message, such as empty fragments. */
  #countBytes(socket: WebSocket, { raw }: FastifyRequest): void {
    let bytes = 0
    raw.socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes < BYTES_PER_READ) return
      this.countReads(socket, Math.floor(bytes / BYTES_PER_READ))
      bytes %= BYTES_PER_READ
    })
  }

  /** Counts a message that is not a call as reads. Above the rate limit, closes the socket. */
  countReads(socket: WebSocket, reads = 1): void {
    const client = this.#clients.get(socket)
    if (client === undefined) return
    client.pendingReads += reads
    // Count all frames in one chunk of bytes together, because there can be ten thousand of them.
    if (client.pendingReads === reads) queueMicrotask(() => this.#spendReads(socket, client))
  }

  #spendReads(socket: WebSocket, client: Client): void {
    const { ip, pendingReads } = client
    client.pendingReads = 0
    this.#app.accounts.limits.spend({ ip, header: () => {} }, 'read', pendingReads).catch(() => {
      // Terminate a client that still sends while its socket is closing.
      if (socket.readyState === WebSocket.OPEN) socket.close(POLICY, 'too many messages')
      else socket.terminate()
    })
  }

  /**
   * Reads the session or API key of a long-lived connection. The credential is checked at once, because it may have
   * ended since the connection was opened.
   */
  #readCredential(request: FastifyRequest, wasFound: boolean): Credential | null {
    const { accounts, platform } = this.#app
    const key = parseBearer(request)
    const secret = key ?? readTokenCookie(SESSION_COOKIE, { request, publicUrl: platform.config.publicUrl }).token
    if (secret === null) return null
    const watch = key === null ? accounts.sessions : accounts.apiKeys
    const id = identifySecret(secret)
    // A cached credential is enough here, as for calls over a socket.
    const credential = { id, watch, wasValid: wasFound || watch.cache.has(id, platform.clock.now()) }
    void this.#checkCredentials(watch, [credential])
    return credential
  }

  endCredential(id: CredentialId): void {
    for (const [socket, { credential }] of this.#clients) {
      if (credential?.id === id) socket.close(POLICY, 'signed out')
    }
    for (const { credential, end } of this.#held) {
      if (credential?.id === id) end()
    }
  }

  /** Closes sockets and other connections whose credential is no longer valid. */
  async closeEnded(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const connections = [...this.#clients.values(), ...this.#held]
    const credentials = connections.flatMap(({ credential }) => (credential ? [credential] : []))
    for (const watch of new Set(credentials.map((credential) => credential.watch))) {
      await this.#checkCredentials(
        watch,
        credentials.filter((credential) => credential.watch === watch),
      )
    }
    this.#isChecking = false
  }

  /** Checks credentials. Never rejects. */
  async #checkCredentials(watch: CredentialReader, credentials: readonly Credential[]): Promise<void> {
    try {
      const valid = await watch.findValid([...new Set(credentials.map(({ id }) => id))])
      for (const credential of credentials) {
        const isValid = valid.has(credential.id)
        if (credential.wasValid && !isValid) watch.cache.revoke(credential.id)
        credential.wasValid = isValid
      }
    } catch (error) {
      // Close nothing while the database is unreachable, because an outage must not log anyone out.
      this.#app.platform.log.debug({ err: error }, 'the credentials of sockets could not be looked at')
    }
  }

  /** Terminates clients that did not respond to the last ping, and pings all others. */
  pingAll(): void {
    for (const [socket, client] of this.#clients) {
      if (client.isAlive) {
        client.isAlive = false
        socket.ping()
      } else socket.terminate()
    }
  }

  /** Closes every socket. Terminates clients that do not respond within `GOODBYE_MS`. */
  async sayGoodbye(): Promise<void> {
    const open = [...this.#clients.keys()]
    const closed = open.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of open) socket.close(GOING_AWAY, 'the server stops')
    const cancelCut = this.#app.platform.timers.after(GOODBYE_MS, () => {
      for (const socket of open) socket.terminate()
    })
    await Promise.all(closed)
    cancelCut()
  }
}
