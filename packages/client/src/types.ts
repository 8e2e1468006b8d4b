import type { PapermoonApi, StreamMessages } from './api-types.ts'

/**
 * A WebSocket class: the browser's, Node's or the one from `ws`. Outside browsers, its second argument can be `{
 * headers }`, which sends the API key.
 */
export type SocketClass = new (url: string, options?: never) => object

export interface ClientOptions {
  /** The server's base URL, such as `http://localhost:3000`. */
  readonly url: string
  /** With a key, calls act for the key's owner within the key's scopes. Without a key, logging in starts a session. */
  readonly apiKey?: string | undefined
  /** Default: the global `WebSocket`. On a Node without one, the packed client uses the class from `ws`. */
  readonly WebSocket?: SocketClass | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /**
   * Returns the ms to wait before attempt 0, 1, 2, … to reconnect the WebSocket. Default: 3 seconds for each attempt.
   */
  readonly toReconnectMs?: ((attempt: number) => number) | undefined
}

export interface PapermoonClient {
  /** Every procedure with its types. Queries and mutations use HTTP, subscriptions share one WebSocket. */
  readonly api: PapermoonApi
  /** The WebSocket's state. */
  readonly connection: Connection
  /**
   * Yields the market's or some fairs' events from `/api/events`, from a cursor or from now on. Sends the key only if
   * needed: for `fairs` and for the type `order`. Reconnects for ever and resumes after the last event, until the loop
   * ends or the signal aborts. Each event comes at least once: `(tokenId, seq)` identifies a repeat. Throws a
   * `StreamRefusedError` if the server rejects the stream, for example because of the cursor.
   */
  events(options?: EventsOptions): AsyncGenerator<StreamEvent, void, void>
  /** Ends all subscriptions and closes the WebSocket. */
  close(): Promise<void>
}

export interface EventsOptions {
  /** The `cursor` of the event to resume after. */
  readonly after?: string | undefined
  /** Token ids, at most 50. Default: all tokens. */
  readonly tokens?: readonly number[] | undefined
  /** Ids of at most 10 fairs whose events to get instead of the fairground's. Fairs have their own cursors. */
  readonly fairs?: readonly number[] | undefined
  /**
   * Kinds of events. Default: launch, trade and rug. `fair` (start, end and results of fairs) also needs `fairs`.
   * `order` (the key owner's waiting orders) needs the scope `market`.
   */
  readonly types?: readonly Exclude<keyof StreamMessages, 'gap' | 'live'>[] | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * An event of the market, or of the stream itself: `gap` means that events are missing, `live` that all missed events
 * were sent. A post's text was written by a player, so do not trust it.
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
  /** `idle` means no subscriptions; `offline` means that a lost or failed connection is being retried. */
  readonly state: 'idle' | 'connecting' | 'live' | 'offline'
  /** Time when the state began, in Unix ms. */
  readonly since: number
}

/** The live connection's state. */
export interface Connection {
  current(): ConnectionState
  /** Calls `listener` on each change. Returns a function that unsubscribes the listener. */
  onChange(listener: (state: ConnectionState) => void): () => void
}
