import type { PapermoonApi } from './api-types.ts'

/**
 * A WebSocket class: the browser's, Node's or that of `ws`. Outside browsers its second argument may be `{ headers }`,
 * which is how an API key gets into the upgrade.
 */
export type SocketClass = new (url: string, options?: never) => object

export interface ClientOptions {
  /** Base URL of the server: `http://localhost:3000`. */
  readonly url: string
  /** Calls act for the key's owner within its scopes. Without a key, signing in starts a session. */
  readonly apiKey?: string | undefined
  /** Defaults to the global `WebSocket`; on a Node without one, the packed client uses that of `ws`. */
  readonly WebSocket?: SocketClass | undefined
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds to wait before attempt 0, 1, 2, … to reconnect the WebSocket. Defaults to 3 seconds for each. */
  readonly toReconnectMs?: ((attempt: number) => number) | undefined
}

export interface PapermoonClient {
  /** Every procedure, typed. Queries and mutations go over HTTP, subscriptions over one WebSocket. */
  readonly api: PapermoonApi
  /** State of the WebSocket. */
  readonly connection: Connection
  /** Ends all subscriptions and the WebSocket. */
  close(): Promise<void>
}

export interface ConnectionState {
  /** `idle` without subscriptions; `offline` while a lost or failed connection is retried. */
  readonly state: 'idle' | 'connecting' | 'live' | 'offline'
  /** Unix time in ms at which the state began. */
  readonly since: number
}

/** The state of the live connection. */
export interface Connection {
  current(): ConnectionState
  /** Calls `listener` on each change; returns a function that unsubscribes it. */
  onChange(listener: (state: ConnectionState) => void): () => void
}
