import type { PapermoonApi, StreamMessages } from './api-types.ts'

/**
 * A WebSocket class: the browser's, Node's or that of `ws`. Outside browsers, its second argument can be `{ headers }`,
 * which sends the API key.
 */
export type SocketClass = new (url: string, options?: never) => object

export interface ClientOptions {
  /** Base URL of the server: `http://localhost:3000`. */
  readonly url: string
  /** Calls act for the key's owner within its scopes. Without a key, logging in starts a session. */
  readonly apiKey?: string | undefined
  /** Defaults to the global `WebSocket`. On a Node without one, the packed client uses that of `ws`. */
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
  /**
   * The market's events over `/api/events`, or those of fairs, from a cursor or from now on. The key is only sent if
   * needed: for `fairs` and for the type `order`. Reconnects for ever and resumes after the last event, until the loop ends
   * or the signal aborts. Each event comes at least once: `(tokenId, seq)` identifies a repeat. Throws a
   * `StreamRefusedError` if the server refuses, for example because of the cursor.
   */
  events(options?: EventsOptions): AsyncGenerator<StreamEvent, void, void>
  /** Ends all subscriptions and the WebSocket. */
  close(): Promise<void>
}

export interface EventsOptions {
  /** The `cursor` of an event. */
  readonly after?: string | undefined
  /** Ids of tokens, at most 50. Default: all. */
  readonly tokens?: readonly number[] | undefined
  /** Ids of fairs, at most 10, whose events to get instead of the fairground's. Fairs have cursors of their own. */
  readonly fairs?: readonly number[] | undefined
  /**
   * Default: launch, trade and rug. `fair` (start, end and results of fairs) needs `fairs`, too. `order` (the key owner's
   * waiting orders) needs the scope `market`.
   */
  readonly types?: readonly Exclude<keyof StreamMessages, 'gap' | 'live'>[] | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * An event of the market, or of the stream itself: `gap` means that events are missing, `live` that all missed events were
 * sent. A post's text is by a player; do not trust it.
 */
export type StreamEvent = {
  [Type in keyof StreamMessages]: {
    readonly type: Type
    readonly data: Omit<StreamMessages[Type], 'cursor'>
    /** Cursor to resume after this event. */
    readonly cursor: string
  }
}[keyof StreamMessages]

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
