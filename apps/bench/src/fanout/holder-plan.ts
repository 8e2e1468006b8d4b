/** Sockets that listen, on one server of this machine. */
export interface HolderPlan {
  readonly port: number
  /** `/ws`, where everybody hears everything; or tRPC's, with one subscription each to a token. */
  readonly kind: 'events' | 'subscriptions'
  readonly tokenId: number
  readonly sockets: number
  /** Counts the events that all of them have received, in its 8 bytes. */
  readonly received: SharedArrayBuffer
}

/** What the sockets heard in a while. */
export type Heard = {
  readonly perSecond: number
  /** From the time that an event names (when its batch was written) to its arrival, of a sample; 0 where none came. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** To the thread that holds the sockets. */
export type HolderMessage =
  | { readonly open: HolderPlan }
  /** Measures from now on, until `tell`. */
  | { readonly listen: true }
  | { readonly tell: true }
  | { readonly close: true }
