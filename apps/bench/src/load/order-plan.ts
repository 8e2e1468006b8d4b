/** The ways an order may come in: REST, tRPC over HTTP or a WebSocket; `bare` is any POST to `/`, the baseline of all. */
export type Door = 'rest' | 'trpc' | 'trpc-socket' | 'bare'

/** Buys of one token through a door, by players who have one order under way each. */
export interface OrderPlan {
  readonly port: number
  readonly door: Door
  readonly tokenId: number
  /** A player's session each; as many connections. */
  readonly cookies: readonly string[]
  readonly seconds: number
  /** Orders a second of all together; null for as fast as they are answered. */
  readonly perSecond: number | null
  /** Waits for those who listen; null where nobody does. */
  readonly listeners: Listeners | null
}

/** Sockets that hear of every order: no more orders are sent while they are far behind. */
export interface Listeners {
  /** Messages that they have received together, in the first 8 bytes. */
  readonly received: SharedArrayBuffer
  readonly sockets: number
  /** Messages that each may have outstanding. */
  readonly behindMax: number
}
