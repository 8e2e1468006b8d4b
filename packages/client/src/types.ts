import type { PapermoonApi, StreamMessages } from './api-types.ts'

/**
 * A WebSocket class: the browser's, Node's or that of the package `ws`. Outside browsers, its second argument can be `{
 * headers }` with the API key.
 */
export type SocketClass = new (url: string, options?: never) => object

export interface ClientOptions {
  /** The server's base URL, such as `http://localhost:3000`. */
  readonly url: string
  /**
   * An API key. With a key, calls act for the key's owner within the key's scopes. Without a key, a player can log in
   * and use a session.
   */
  readonly apiKey?: string | undefined
  /**
   * The `WebSocket` class to use (default: the global one). If Node has no WebSocket, the packed client uses the
   * package `ws`.
   */
  readonly WebSocket?: SocketClass | undefined
  /** The `fetch` to use (default: the global one). */
  readonly fetch?: typeof fetch | undefined
  /** Returns how long to wait before attempt 0, 1, 2, … to reconnect the WebSocket, in ms (default: always 3,000). */
  readonly toReconnectMs?: ((attempt: number) => number) | undefined
}

export interface PapermoonClient {
  /** Every procedure with its types. Queries and mutations use HTTP, and all subscriptions share one WebSocket. */
  readonly api: PapermoonApi
  /** The WebSocket's state. */
  readonly connection: Connection
  /**
   * Yields the events of the market or of some fairs from `/api/events`, from a cursor or from now on. The client sends
   * the key only for `fairs` and for the type `order`. The stream reconnects and resumes after the last event, until
   * the loop ends or the signal aborts. An event can come twice, with the same `(tokenId, seq)`. Throws a
   * `StreamRefusedError` if the server rejects the stream, for example because the cursor is invalid.
   */
  events(options?: EventsOptions): AsyncGenerator<StreamEvent, void, void>
  /** Ends all subscriptions and closes the WebSocket. */
  close(): Promise<void>
}

export interface EventsOptions {
  /** The `cursor` of the event to resume after. */
  readonly after?: string | undefined
  /** Ids of at most 50 tokens, or undefined for all tokens. */
  readonly tokens?: readonly number[] | undefined
  /**
   * Ids of at most 10 fairs. The stream then has these fairs' events and none of the fairground's. A fair's cursor is
   * not valid for the fairground.
   */
  readonly fairs?: readonly number[] | undefined
  /**
   * Kinds of events (default: launch, trade and rug). The kind `fair` (start, end and results of fairs) also needs
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
  /**
   * State of the connection. `idle`: there are no subscriptions. `offline`: the connection was lost or failed, and the
   * client retries.
   */
  readonly state: 'idle' | 'connecting' | 'live' | 'offline'
  /** Time when this state began, in Unix ms. */
  readonly since: number
}

/** Access to the live connection's state. */
export interface Connection {
  current(): ConnectionState
  /** Calls `listener` on each change. Returns a function that stops the calls. */
  onChange(listener: (state: ConnectionState) => void): () => void
}
