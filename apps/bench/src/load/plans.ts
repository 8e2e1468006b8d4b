/** A load of GET requests on a local port. */
export interface LoadPlan {
  readonly port: number
  /** Paths to request in turn. */
  readonly paths: readonly string[]
  /** Number of connections. Each has one request at a time. */
  readonly connections: number
  readonly seconds: number
}

/** Transports of an order: REST, or tRPC over HTTP or WebSocket. The baseline `bare` is any POST to `/`. */
export type Transport = 'rest' | 'trpc' | 'trpc-socket' | 'bare'

/** Buys of one token over a transport. Each player places one order at a time. */
export interface OrderPlan {
  readonly port: number
  readonly transport: Transport
  readonly tokenId: number
  /** The players' session cookies. Each player has one connection. */
  readonly cookies: readonly string[]
  readonly seconds: number
  /** Total number of orders per second. By default, as many as the server can handle. */
  readonly perSecond?: number | null
  /** Listeners to wait for (default: none). */
  readonly listeners?: Listeners
}

/** Sockets that receive every order's event. No orders are sent while they are far behind. */
export interface Listeners {
  /** Number of received messages, in the first 8 bytes. */
  readonly received: SharedArrayBuffer
  readonly sockets: number
  /** Max number of outstanding messages per socket. */
  readonly behindMax: number
}

export type LoadResult = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of requests that got a response. */
  readonly answered: number
}
