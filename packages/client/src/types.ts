import type { PapermoonApi, StreamMessages } from './api-types.ts'

/**
 * A WebSocket class: the browser's, Node's or that of the package `ws`. Outside browsers, its second argument can be `{
 * headers }`, which sends the API key.
 */
export type SocketClass = new (url: string, options?: never) => object

export interface ClientOptions {
  /** The server's base URL, such as `http://localhost:3000`. */
  readonly url: string
  /**
   * An API key, with which calls act for the key's owner within its scopes. Without a key, a login starts a session.
   */
  readonly apiKey?: string | undefined
  /** The default is the global `WebSocket`. On a Node without it, the packed client uses the package `ws`. */
  readonly WebSocket?: SocketClass | undefined
  /** The default is the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Returns the ms to wait before attempt 0, 1, 2, … to reconnect the WebSocket, by default always 3,000. */
  readonly toReconnectMs?: ((attempt: number) => number) | undefined
}

export interface PapermoonClient {
  /** Every procedure with its types. Queries and mutations use HTTP, and all subscriptions share one WebSocket. */
  readonly api: PapermoonApi
  /** The WebSocket's state. */
  readonly connection: Connection
  /**
   * Yields the market's or some fairs' events from `/api/events`, from a cursor or from now on. Sends the key only for
   * `fairs` and for the type `order`. Reconnects and resumes after the last event, until the loop ends or the signal
   * aborts. An event can come twice, with the same `(tokenId, seq)`. Throws a `StreamRefusedError` if the server
   * rejects the stream, for example because the cursor is invalid.
   */
  events(options?: EventsOptions): AsyncGenerator<StreamEvent, void, void>
  /** Ends all subscriptions and closes the WebSocket. */
  close(): Promise<void>
}

export interface EventsOptions {
  /** The `cursor` of the event to resume after. */
  readonly after?: string | undefined
  /** Ids of at most 50 tokens; all tokens if undefined. */
  readonly tokens?: readonly number[] | undefined
  /**
   * Ids of at most 10 fairs whose events to get instead of the fairground's. A fair's cursor is not valid for the
   * fairground.
   */
  readonly fairs?: readonly number[] | undefined
  /**
   * Kinds of events; launch, trade and rug if undefined. The kind `fair` (start, end and results of fairs) also needs
   * `fairs`. The kind `order` (the key owner's waiting orders) needs the scope `market`.
   */
  readonly types?: readonly Exclude<keyof StreamMessages, 'gap' | 'live'>[] | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * An event of the market, or of the stream itself: `gap` means that events are missing, and `live` means that all
 * missed events were sent. Do not trust the text of a post, because a player wrote it.
 */
export type StreamEvent = {
  [Type in keyof StreamMessages]: {
    readonly type: Type
    readonly data: Omit<StreamMessages[Type], 'cursor'>
    /** The cursor with which a stream resumes after this event. */
    readonly cursor: string
  }
}[keyof StreamMessages]

export interface ConnectionState {
  /** `idle` means no subscriptions; `offline` means that a lost or failed connection is being retried. */
  readonly state: 'idle' | 'connecting' | 'live' | 'offline'
  /** Time when this state began, in Unix ms. */
  readonly since: number
}

/** Access to the live connection's state. */
export interface Connection {
  current(): ConnectionState
  /** Calls `listener` on each change, until the returned function is called. */
  onChange(listener: (state: ConnectionState) => void): () => void
}
