import { BOUNDS } from '@papermoon/contract/bounds'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { TooManyConnectionsError } from '../../errors.ts'
import { toAddressKey } from '../../security/client-address.ts'
import { trustedProxies } from '../security/security.ts'

/** Max number of connections. WebSockets may use only the part SOCKETS_PART of them. */
const CONNECTIONS_MAX = 25_000

/** Number of file descriptors that are kept for files, the database, Redis and mail. */
const SPARE_FILES = 256

const CONNECTIONS_MIN = 64

/** Max part of all connections that can be WebSockets. */
const SOCKETS_PART = 0.8

let softLimit: number | undefined

/** How many connections a process accepts, and how many of these can be WebSockets. */
export interface ConnectionCapacity {
  readonly connections: number
  readonly sockets: number
}

/** Max number of connections per IP address. No household or office needs so many connections. */
export const CONNECTIONS_PER_ADDRESS_MAX = BOUNDS.connectionsPerAddress

/**
 * Limits open connections in total and per IP address, including idle connections. Connections of a trusted proxy are
 * not limited. Requests and sockets behind such a proxy count for the IP address that the proxy forwards.
 * RATE_LIMIT=off switches this limit off.
 */
export const connectionLimits = fp<{ app: App; room: ConnectionCapacity }>(
  async (
    fastify,
    {
      app: {
        platform: { config, log },
      },
      room,
    },
  ) => {
    fastify.server.maxConnections = room.connections
    if (!config.rateLimit) return
    const isTrusted = trustedProxies(config)
    const connections = new Counter()
    fastify.server.on('connection', (socket) => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || isTrusted(remoteAddress)) return
      const key = toAddressKey(remoteAddress)
      if (connections.count(key) >= CONNECTIONS_PER_ADDRESS_MAX) {
        log.debug({ ip: remoteAddress }, 'a connection too many was cut off')
        socket.destroy()
        return
      }
      socket.once('close', connections.add(key))
    })
    if (config.trustProxy.length === 0) return
    const requests = new Counter()
    fastify.addHook('onRequest', async (request, reply) => {
      if (!isTrusted(request.socket.remoteAddress)) return
      const key = toAddressKey(request.ip)
      if (requests.count(key) >= CONNECTIONS_PER_ADDRESS_MAX) throw new TooManyConnectionsError()
      const end = requests.add(key)
      if (isUpgrade(request)) request.raw.socket.once('close', end)
      else reply.raw.once('finish', end).once('close', end)
    })
  },
  { name: 'connection-limits', dependencies: ['live-sockets'] },
)

/** Counts connections by IP address. */
export class Counter {
  readonly #counts = new Map<string, number>()

  count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Adds one to a key's count. Returns a function that subtracts it again. */
  add(key: string): () => void {
    this.#counts.set(key, this.count(key) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = this.count(key) - 1
      if (left === 0) this.#counts.delete(key)
      else this.#counts.set(key, left)
    }
  }
}

function isUpgrade(request: FastifyRequest): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/** Returns how many connections are possible for a limit of open files. */
export function connectionCapacity(openFiles: number = openFilesMax()): ConnectionCapacity {
  const connections = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, openFiles - SPARE_FILES))
  return { connections, sockets: Math.floor(connections * SOCKETS_PART) }
}

/** Returns this process's soft limit of open files, which is read only once. Returns Infinity if there is no limit. */
export function openFilesMax(): number {
  softLimit ??= readSoftLimit()
  return softLimit
}

function readSoftLimit(): number {
  // Exclude the network, because the report would otherwise look up the names of all peers. Node's types lack the
  // property that excludes it.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}
