import { BOUNDS } from '@papermoon/contract/bounds'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { TooManyConnectionsError } from '../../errors.ts'
import { toAddressKey } from '../../security/client-address.ts'
import { trustedProxies } from '../security/trusted-proxies.ts'
import type { ConnectionCapacity } from './connection-capacity.ts'

/** Max number of connections per IP address, more than a household or office behind one address needs. */
export const CONNECTIONS_PER_ADDRESS_MAX = BOUNDS.connectionsPerAddress

/**
 * Limits open connections in total and per IP address, including idle ones. A trusted proxy's connections are not
 * limited. Instead, its pending requests and sockets count for the address that it forwards. Off with RATE_LIMIT=off.
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

/** Counts by IP address. */
export class Counter {
  readonly #counts = new Map<string, number>()

  count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Adds one. Returns a function that subtracts it again, once. */
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
