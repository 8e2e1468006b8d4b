/** A load of GET requests on a local port. */
export interface LoadPlan {
  readonly port: number
  /** Taken in turn beginning at `first`. */
  readonly paths: readonly string[]
  readonly first: number
  /** Number of connections, with one request in flight each. */
  readonly connections: number
  readonly seconds: number
}

/** Transports of an order: REST, tRPC over HTTP or WebSocket; `bare` is any POST to `/`, the baseline. */
export type Transport = 'rest' | 'trpc' | 'trpc-socket' | 'bare'

/** Buys of one token by a transport; each player has one order in flight. */
export interface OrderPlan {
  readonly port: number
  readonly transport: Transport
  readonly tokenId: number
  /** Players' sessions, one connection each. */
  readonly cookies: readonly string[]
  readonly seconds: number
  /** Total orders per second; by default as fast as they are answered. */
  readonly perSecond?: number | null
  /** Listeners to wait for; by default none. */
  readonly listeners?: Listeners
}

/** Sockets that receive every order's event; no orders are sent while they are far behind. */
export interface Listeners {
  /** Total received messages, in the first 8 bytes. */
  readonly received: SharedArrayBuffer
  readonly sockets: number
  /** Max outstanding messages per socket. */
  readonly behindMax: number
}

export type LoadResult = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of answered requests. */
  readonly answered: number
}
