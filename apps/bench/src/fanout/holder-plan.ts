/** Sockets to open on a local server. */
export interface HolderPlan {
  readonly port: number
  /** `/ws` or `/api/events`, with all events; or tRPC, with one subscription to a token per socket. */
  readonly kind: 'events' | 'sse' | 'subscriptions'
  readonly tokenId: number
  readonly sockets: number
  /** Total received events, in its 8 bytes. */
  readonly received: SharedArrayBuffer
}

/** Messages that the sockets received during a measurement. */
export type Delivery = {
  readonly perSecond: number
  /** Latency from an event's time (when its batch was applied) to its arrival, sampled; 0 without samples. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Messages to the thread that holds the sockets. */
export type HolderMessage =
  | { readonly open: HolderPlan }
  /** Starts a measurement, which ends with `report`. */
  | { readonly listen: true }
  | { readonly report: true }
  | { readonly close: true }
