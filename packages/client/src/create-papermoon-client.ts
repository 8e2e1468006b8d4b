import type { AppRouter } from '@papermoon/api/router'
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  httpLink,
  retryLink,
  splitLink,
  type TRPCClient,
  type TRPCClientError,
  wsLink,
} from '@trpc/client'
import superjson from 'superjson'
import { ALONE, BATCH_MAX, URL_CHARS_MAX } from './batch.ts'
import { boundedSocket, type SocketClass } from './bounded-socket.ts'
import { type Connection, connectionOf } from './connection.ts'
import { cookieCredentials, keyCredentials } from './credentials.ts'

/** Time between a loss and the next try, ms. */
const RECONNECT_MS = 3_000
/** A connection that does not answer a ping for `PONG_MS` is taken for lost. */
const PING_MS = 10_000
const PONG_MS = 4_000
/** The socket closes this long after its last subscription; less than `PING_MS`, since a ping counts as use. */
const IDLE_MS = 1_000

export interface ClientOptions {
  /** The server: `http://localhost:3000`. */
  readonly url: string
  /** Acts for the key's owner, within its scopes. Without one, signing in begins a session. */
  readonly apiKey?: string
  /** The runtime's own unless told; Node has one from version 22 on. */
  readonly WebSocket?: SocketClass
  /** The runtime's own unless told. */
  readonly fetch?: typeof fetch
}

export interface PapermoonClient {
  /** Every procedure, typed. Queries and mutations go over HTTP, subscriptions over one WebSocket. */
  readonly api: TRPCClient<AppRouter>
  /** Of the WebSocket. */
  readonly connection: Connection
  /** Ends all subscriptions and the WebSocket. */
  close(): Promise<void>
}

/**
 * A client of one Papermoon server, for Node and browsers. The WebSocket opens with the first subscription, comes back
 * 3 seconds after a loss, and each subscription then goes on after the last event it saw. Failures are
 * `TRPCClientError`s: the sentence is the `message`, the code `data.reason`.
 */
export function createPapermoonClient(options: ClientOptions): PapermoonClient {
  const http = new URL('/trpc', options.url).href
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const credentials = options.apiKey === undefined ? cookieCredentials(send) : keyCredentials(options.apiKey, send)
  const socket = createWSClient({
    url: http.replace(/^http/, 'ws'),
    WebSocket: boundedSocket(options.WebSocket ?? globalThis.WebSocket, credentials),
    retryDelayMs: () => RECONNECT_MS,
    keepAlive: { enabled: true, intervalMs: PING_MS, pongTimeoutMs: PONG_MS },
    lazy: { enabled: true, closeMs: IDLE_MS },
  })
  const overHttp = { url: http, transformer: superjson, fetch: credentials.fetch as never }
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: [
          retryLink<AppRouter>({ retry: ({ error }) => isPassing(error), retryDelayMs: () => RECONNECT_MS }),
          wsLink<AppRouter>({ client: socket, transformer: superjson }),
        ],
        false: splitLink({
          condition: ({ path }) => ALONE.has(path),
          true: httpLink<AppRouter>(overHttp),
          false: httpBatchLink<AppRouter>({ ...overHttp, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
        }),
      }),
    ],
  })
  return { api, connection: connectionOf(socket), close: () => socket.close() }
}

/** A subscription that the server cannot serve just now is asked for again; one that it refuses is not. */
function isPassing({ data }: TRPCClientError<AppRouter>): boolean {
  return data === undefined || data === null || data.httpStatus >= 500 || data.httpStatus === 429
}
