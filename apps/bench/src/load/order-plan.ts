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
  /** Total orders per second; null for as fast as they are answered. */
  readonly perSecond: number | null
  /** Listeners to wait for; null if there are none. */
  readonly listeners: Listeners | null
}

/** Sockets that receive every order's event; no orders are sent while they are far behind. */
export interface Listeners {
  /** Total received messages, in the first 8 bytes. */
  readonly received: SharedArrayBuffer
  readonly sockets: number
  /** Max outstanding messages per socket. */
  readonly behindMax: number
}
