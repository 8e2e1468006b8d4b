/** A load on a local port. Each connection has one request at a time. */
interface Load {
  readonly port: number
  readonly seconds: number
}

/** A load of a guest's GET requests. */
export interface ReadPlan extends Load {
  /** Paths to request in turn. */
  readonly paths: readonly string[]
  readonly connections: number
}

/** Transports of an order: REST, or tRPC over HTTP or WebSocket. */
export type Transport = 'rest' | 'trpc' | 'trpc-socket'

/** Buys of one token over a transport, as many as the server can handle. */
export interface OrderPlan extends Load {
  readonly transport: Transport
  readonly tokenId: number
  /** The players' session cookies. Each player has a connection of their own. */
  readonly cookies: readonly string[]
}

export type LoadPlan = ReadPlan | OrderPlan

export type LoadResult = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of requests to which the server responded. */
  readonly answered: number
}
