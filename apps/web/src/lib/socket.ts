import type { AppRouter } from '@papermoon/api/router'
import { createWSClient, type TRPCLink, type TRPCWebSocketClient, wsLink } from '@trpc/client'
import superjson from 'superjson'

/** Time between a close and the next try, ms. */
export const RECONNECT_MS = 3_000
/** A connection that does not answer a ping for `PONG_MS` is taken for lost. */
const PING_MS = 10_000
const PONG_MS = 4_000

export interface Connection {
  /** `connecting` until the first answer: an indicator that says Offline on every page load would cry wolf. */
  readonly state: 'connecting' | 'live' | 'offline'
  /** When the state began, ms since the epoch: how old the figures on the screen are. */
  readonly since: number
}

let connection: Connection = { state: 'connecting', since: Date.now() }
let socket: TRPCWebSocketClient | undefined
const listeners = new Set<() => void>()

/** The state of the live connection, now. */
export function currentConnection(): Connection {
  return connection
}

/** Calls `listener` at each change; returns the way to stop. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the live connection if it is not open yet. It then stays, and comes back 3 seconds after a close. */
export function openSocket(): TRPCWebSocketClient {
  socket ??= createWSClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/trpc`,
    retryDelayMs: () => RECONNECT_MS,
    keepAlive: { enabled: true, intervalMs: PING_MS, pongTimeoutMs: PONG_MS },
    onOpen: () => become('live'),
    onError: () => become('offline'),
    onClose: () => become('offline'),
  })
  return socket
}

/** The way to the server for subscriptions; the first one opens the connection. */
export const socketLink: TRPCLink<AppRouter> = (runtime) => {
  let send: ReturnType<TRPCLink<AppRouter>> | undefined
  return (operation) => {
    send ??= wsLink<AppRouter>({ client: openSocket(), transformer: superjson })(runtime)
    return send(operation)
  }
}

function become(state: Connection['state']): void {
  if (connection.state === state) return
  connection = { state, since: Date.now() }
  for (const listener of listeners) listener()
}
