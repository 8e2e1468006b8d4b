import type { AppRouter } from '@papermoon/contract/router'
import { retryLink, type TRPCClientError, type TRPCLink } from '@trpc/client'
// Do not import `wsLink` from tRPC's main entry point. Without this import, browsers can load the socket code later.
import { createWSClient, wsLink } from '@trpc/client/links/wsLink/wsLink'
import superjson from 'superjson'
import { createSocketClass, type SocketHeaders } from './bounded-socket.ts'
import { watchConnection } from './connection.ts'
import { RECONNECT_MS } from './reconnect.ts'
import type { Connection, SocketClass } from './types.ts'

/** Time between pings, in ms. If no pong arrives within the same time, the connection counts as lost. */
const PING_MS = 10_000
const PONG_MS = 4_000
/**
 * How long the socket stays open after its last subscription, in ms. It is shorter than `PING_MS`, because a ping
 * counts as use.
 */
const IDLE_MS = 1_000

export interface LiveOptions {
  /** tRPC's URL, such as `http://localhost:3000/trpc`. */
  readonly url: string
  /** Whether the socket opens at once and stays open, or is open only during subscriptions. */
  readonly opens: 'now' | 'when-subscribed'
  /** The `WebSocket` class to use (default: the global one). */
  readonly WebSocket?: SocketClass
  /** Headers of the socket. In browsers, they must be null, which is the default. */
  readonly headers?: SocketHeaders
  /** Returns how long to wait before attempt 0, 1, 2, … to reconnect, in ms (default: always `RECONNECT_MS`). */
  readonly toReconnectMs?: (attempt: number) => number
}

export interface Live {
  readonly connection: Connection
  /** The tRPC links for subscriptions, which all use the same WebSocket. */
  readonly links: TRPCLink<AppRouter>[]
  /** Ends all subscriptions and closes the WebSocket. */
  close(): Promise<void>
}

/** Opens a WebSocket that reconnects after a loss. Each subscription resumes after its last event. */
export function openLive(options: LiveOptions): Live {
  const { url, opens, WebSocket = globalThis.WebSocket, headers = null, toReconnectMs = () => RECONNECT_MS } = options
  const socket = createWSClient({
    url: url.replace(/^http/, 'ws'),
    WebSocket: createSocketClass(WebSocket, headers),
    retryDelayMs: toReconnectMs,
    keepAlive: { enabled: true, intervalMs: PING_MS, pongTimeoutMs: PONG_MS },
    lazy: { enabled: opens === 'when-subscribed', closeMs: IDLE_MS },
  })
  return {
    connection: watchConnection(socket),
    links: [
      retryLink<AppRouter>({ retry: ({ error }) => isTemporary(error), retryDelayMs: toReconnectMs }),
      wsLink<AppRouter>({ client: socket, transformer: superjson }),
    ],
    close: () => socket.close(),
  }
}

/** Returns whether to retry a failed subscription. A retry helps if the server failed or was overloaded. */
function isTemporary({ data }: TRPCClientError<AppRouter>): boolean {
  return data === undefined || data === null || data.httpStatus >= 500 || data.httpStatus === 429
}
