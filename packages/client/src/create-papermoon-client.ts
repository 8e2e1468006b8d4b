import type { AppRouter } from '@papermoon/api/router'
import { createTRPCClient, splitLink, type TRPCClient } from '@trpc/client'
import type { SocketClass } from './bounded-socket.ts'
import { createCallsLink } from './calls.ts'
import type { Connection } from './connection.ts'
import { cookieCredentials, keyCredentials } from './credentials.ts'
import { openLive } from './live.ts'
import { createProofOfWorkFetch } from './proof-of-work-fetch.ts'

export interface ClientOptions {
  /** Base URL of the server: `http://localhost:3000`. */
  readonly url: string
  /** Calls act for the key's owner within its scopes. Without a key, signing in starts a session. */
  readonly apiKey?: string
  /** Defaults to the global `WebSocket`, which Node has since version 22. */
  readonly WebSocket?: SocketClass
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Milliseconds to wait before attempt 0, 1, 2, … to reconnect the WebSocket. Defaults to 3 seconds for each. */
  readonly toReconnectMs?: (attempt: number) => number
}

export interface PapermoonClient {
  /** Every procedure, typed. Queries and mutations go over HTTP, subscriptions over one WebSocket. */
  readonly api: TRPCClient<AppRouter>
  /** State of the WebSocket. */
  readonly connection: Connection
  /** Ends all subscriptions and the WebSocket. */
  close(): Promise<void>
}

/**
 * Creates a client of one Papermoon server, for Node and browsers. The WebSocket opens with the first subscription. It
 * reconnects after a loss, and each subscription resumes after the last event it received. When the server asks
 * for proof of work, the client solves it, which takes a few seconds. Calls reject with `TRPCClientError`: its `message` is
 * a sentence for people, `data.reason` the error code.
 */
export function createPapermoonClient(options: ClientOptions): PapermoonClient {
  const url = new URL('/trpc', options.url).href
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const { fetch, socketHeaders } =
    options.apiKey === undefined ? cookieCredentials(send) : keyCredentials(options.apiKey, send)
  const { connection, links, close } = openLive({
    url,
    opens: 'when-subscribed',
    headers: socketHeaders,
    ...(options.WebSocket !== undefined && { WebSocket: options.WebSocket }),
    ...(options.toReconnectMs !== undefined && { toReconnectMs: options.toReconnectMs }),
  })
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: links,
        false: createCallsLink({ url, fetch: createProofOfWorkFetch(fetch) }),
      }),
    ],
  })
  return { api, connection, close }
}
