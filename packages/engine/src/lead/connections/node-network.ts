import { once } from 'node:events'
import {
  type AddressInfo,
  connect as connectPlain,
  createServer as createPlainServer,
  type Server,
  type Socket,
} from 'node:net'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import { connect, createServer, type SecureVersion } from 'node:tls'
import type { Logger } from 'pino'
import type { Leader } from '../lease/leader.ts'
import { PROTOCOL } from '../wire/protocol.ts'
import type { Channel, ChannelUser, LeadListener, LeadNetwork } from './channel.ts'
import { listenAtSocket, toSocketPath } from './socket-file.ts'

/**
 * TLS with a pre-shared key: both sides prove that they have it, and all bytes are encrypted. TLS 1.3 is not possible: Node takes
 * such keys only up to 1.2.
 */
const TLS_OPTIONS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305:PSK-AES256-GCM-SHA384',
  minVersion: 'TLSv1.2' as SecureVersion,
  maxVersion: 'TLSv1.2' as SecureVersion,
}
/** Max connections, with those that are still to prove themselves. */
const CONNECTIONS_MAX = 256
const HANDSHAKE_MAX_MS = 2_000
/** Min time between two log lines about strangers. */
const QUIET_MS = 60_000

export interface NetworkParts {
  /** Known to the nodes of this database only. */
  readonly secret: Buffer
  readonly log: Logger
  /** Identifies this process. */
  readonly node: string
  /** Where this node takes the orders of others while it leads; null: it never leads. Port 0: any free port. */
  readonly listen: { readonly host: string; readonly port: number } | null
  /** The address that the others call; null: where it listens. */
  readonly address: string | null
  /** Folder of the Unix socket that the nodes of this machine call; null: none. */
  readonly socketFolder: string | null
}

/** TLS between machines; on one machine a Unix socket, which only this user can open, and which costs a third. */
export function createNodeNetwork(parts: NetworkParts): LeadNetwork {
  const { listen } = parts
  return {
    listen: listen === null ? null : async (welcome) => await listenAt({ ...parts, listen }, welcome),
    dial: (leader, user) => dial(parts, leader, user),
  }
}

type Welcome = (channel: Channel) => ChannelUser

async function listenAt(
  parts: NetworkParts & { readonly listen: { readonly host: string; readonly port: number } },
  welcome: Welcome,
): Promise<LeadListener> {
  const { log, listen, node, socketFolder } = parts
  const welcomeSocket = (socket: Socket): void => adopt(socket, welcome, log)
  const server = createTlsServer(parts)
  server.on('secureConnection', welcomeSocket)
  // Exclusive: processes of one server would share the port, and take each other's calls.
  server.listen({ ...listen, exclusive: true })
  await once(server, 'listening')
  server.on('error', (error) => log.warn({ err: error }, 'the port of orders failed'))
  const { port } = server.address() as AddressInfo
  const local = createPlainServer(welcomeSocket)
  local.maxConnections = CONNECTIONS_MAX
  const path = socketFolder === null ? null : toSocketPath(socketFolder, node)
  const socket = path !== null && (await listenAtSocket(local, path, log)) ? path : null
  return {
    address: parts.address ?? formatAddress(listen.host, port),
    socket,
    close: () => {
      server.close()
      local.close()
    },
  }
}

function createTlsServer({ secret, log }: NetworkParts): Server {
  let lastIdentity = PROTOCOL
  let quietUntilMs = 0
  const server = createServer({
    ...TLS_OPTIONS,
    handshakeTimeout: HANDSHAKE_MAX_MS,
    pskCallback: (_socket, identity) => {
      lastIdentity = identity
      return identity === PROTOCOL ? secret : null
    },
  })
  server.maxConnections = CONNECTIONS_MAX
  server.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    const nowMs = performance.now()
    // A node that gave up dialling is no stranger.
    if (nowMs < quietUntilMs || !error.code?.startsWith('ERR_SSL')) return
    quietUntilMs = nowMs + QUIET_MS
    if (isOtherBuild(lastIdentity)) log.info('a node of another build called: it runs its orders itself')
    else log.warn({ err: error }, 'the port for the orders of other nodes was called without the key of this database')
    lastIdentity = PROTOCOL
  })
  return server
}

function isOtherBuild(identity: string): boolean {
  return identity !== PROTOCOL && /^papermoon-orders-\d+$/.test(identity)
}

/** Connects the user of a channel with a socket. */
function adopt(socket: Socket, welcome: Welcome, log: Logger): void {
  socket.setNoDelay(true)
  const user = welcome(new SocketChannel(socket))
  socket.on('data', (chunk: Buffer) => user.receive(chunk))
  socket.on('error', (error) => log.debug({ err: error }, 'the link of a follower broke'))
  socket.on('close', () => user.onClose())
}

class SocketChannel implements Channel {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  write(chunks: readonly Buffer[]): void {
    const socket = this.#socket
    if (socket.destroyed || !socket.writable) return
    const [only] = chunks
    if (only !== undefined && chunks.length === 1) {
      socket.write(only)
      return
    }
    socket.cork()
    for (const chunk of chunks) socket.write(chunk)
    socket.uncork()
  }

  end(): void {
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

function dial(parts: NetworkParts, leader: Leader, user: ChannelUser): Channel | null {
  const address = findAddress(leader)
  const isHere = leader.host === hostname() && leader.socket !== null
  if (address === null && !isHere) return null
  return new DialledChannel(parts, { address, path: isHere ? leader.socket : null }, user)
}

interface Way {
  readonly address: { readonly host: string; readonly port: number } | null
  readonly path: string | null
}

/** Tries the Unix socket first, if there is one. */
class DialledChannel implements Channel {
  readonly #parts: NetworkParts
  readonly #user: ChannelUser
  #channel: SocketChannel
  #isDestroyed = false

  constructor(parts: NetworkParts, { path, address }: Way, user: ChannelUser) {
    this.#parts = parts
    this.#user = user
    this.#channel = path === null ? this.#dialAddress(address) : this.#dialSocket(path, address)
  }

  get unsentBytes(): number {
    return this.#channel.unsentBytes
  }

  write(chunks: readonly Buffer[]): void {
    this.#channel.write(chunks)
  }

  end(): void {
    this.#channel.end()
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#channel.destroy()
  }

  /** Two machines or containers may have the same name, so that the file is not there. */
  #dialSocket(path: string, address: Way['address']): SocketChannel {
    const socket = connectPlain({ path })
    let isOpen = false
    socket.on('connect', () => {
      isOpen = true
    })
    return this.#use(socket, () => {
      if (isOpen || this.#isDestroyed || address === null) this.#user.onClose()
      else this.#channel = this.#dialAddress(address)
    })
  }

  #dialAddress(address: Way['address']): SocketChannel {
    const { secret } = this.#parts
    const socket = connect({
      ...TLS_OPTIONS,
      ...(address ?? { host: '127.0.0.1', port: 0 }),
      pskCallback: () => ({ psk: secret, identity: PROTOCOL }),
      // The shared key has proved who answers.
      checkServerIdentity: () => undefined,
    })
    return this.#use(socket, () => this.#user.onClose())
  }

  #use(socket: Socket, onClose: () => void): SocketChannel {
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#user.receive(chunk))
    socket.on('error', (error) => this.#parts.log.debug({ err: error }, 'the link to the leader broke'))
    socket.on('close', onClose)
    return new SocketChannel(socket)
  }
}

const LOOPBACK = /^(127\.|localhost$|::1$)/

/** How to reach a leader over the network; null if its address is one of its own machine only. */
function findAddress({ host, address }: Leader): Way['address'] {
  const [, name = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  if (name === '' || (LOOPBACK.test(name) && host !== hostname())) return null
  return { host: name, port: Number(port) }
}

/** Other machines and containers usually resolve the name of one that listens at all its addresses. */
function formatAddress(listened: string, port: number): string {
  const host = listened === '0.0.0.0' || listened === '::' ? hostname() : listened
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
