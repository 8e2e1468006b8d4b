import type { AppRouter } from '@papermoon/api/router'
import { retryLink, type TRPCClientError, type TRPCLink } from '@trpc/client'
// Not from tRPC's entry: a browser may load the socket later than the rest.
import { createWSClient, wsLink } from '@trpc/client/links/wsLink/wsLink'
import superjson from 'superjson'
import { boundedSocket, type SocketClass, type SocketHeaders } from './bounded-socket.ts'
import { type Connection, connectionOf } from './connection.ts'
import { RECONNECT_MS } from './reconnect.ts'

/** A connection that does not answer a ping for `PONG_MS` is taken for lost. */
const PING_MS = 10_000
const PONG_MS = 4_000
/** The socket closes this long after its last subscription; less than `PING_MS`, since a ping counts as use. */
const IDLE_MS = 1_000

export interface LiveOptions {
  /** Where tRPC is: `http://localhost:3000/trpc`. */
  readonly url: string
  /** `now` and for good, or only while somebody subscribes. */
  readonly opens: 'now' | 'when-subscribed'
  /** The runtime's own unless told. */
  readonly WebSocket?: SocketClass
  /** Null, as it is unless told, where the runtime is a browser. */
  readonly headers?: SocketHeaders
}

export interface Live {
  readonly connection: Connection
  /** The way of subscriptions, all over one WebSocket. */
  readonly links: TRPCLink<AppRouter>[]
  /** Ends all subscriptions and the WebSocket. */
  close(): Promise<void>
}

/** A WebSocket that comes back 3 seconds after a loss; each subscription then goes on after the last event it saw. */
export function openLive({ url, opens, WebSocket = globalThis.WebSocket, headers = null }: LiveOptions): Live {
  const socket = createWSClient({
    url: url.replace(/^http/, 'ws'),
    WebSocket: boundedSocket(WebSocket, headers),
    retryDelayMs: () => RECONNECT_MS,
    keepAlive: { enabled: true, intervalMs: PING_MS, pongTimeoutMs: PONG_MS },
    lazy: { enabled: opens === 'when-subscribed', closeMs: IDLE_MS },
  })
  return {
    connection: connectionOf(socket),
    links: [
      retryLink<AppRouter>({ retry: ({ error }) => isPassing(error), retryDelayMs: () => RECONNECT_MS }),
      wsLink<AppRouter>({ client: socket, transformer: superjson }),
    ],
    close: () => socket.close(),
  }
}

/** A subscription that the server cannot serve just now is asked for again; one that it refuses is not. */
function isPassing({ data }: TRPCClientError<AppRouter>): boolean {
  return data === undefined || data === null || data.httpStatus >= 500 || data.httpStatus === 429
}
