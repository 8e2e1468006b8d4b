/** A load of GET requests to a local port. */
export interface LoadPlan {
  readonly port: number
  /** Paths to request in turn. */
  readonly paths: readonly string[]
  /** Number of connections. Each connection has one request at a time. */
  readonly connections: number
  readonly seconds: number
}

/**
 * Transports of an order: REST, or tRPC over HTTP or WebSocket. With the baseline `bare`, an order is any POST to `/`.
 */
export type Transport = 'rest' | 'trpc' | 'trpc-socket' | 'bare'

/** Buys of one token over a transport. Each player places one order at a time. */
export interface OrderPlan {
  readonly port: number
  readonly transport: Transport
  readonly tokenId: number
  /** The players' session cookies. Each player has a connection of their own. */
  readonly cookies: readonly string[]
  readonly seconds: number
  /** Number of orders per second in total. By default, players send as many orders as the server can handle. */
  readonly perSecond?: number | null
  /** Number of listeners to wait for (default: none). */
  readonly listeners?: Listeners
}

/** Sockets that receive every order's event. No orders are sent while they are far behind. */
export interface Listeners {
  /** Number of messages that the sockets have received, in the buffer's first 8 bytes. */
  readonly received: SharedArrayBuffer
  readonly sockets: number
  /** Max number of outstanding messages per socket. */
  readonly behindMax: number
}

export type LoadResult = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of requests to which the server responded. */
  readonly answered: number
}
