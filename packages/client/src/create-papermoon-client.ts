import type { AppRouter } from '@papermoon/api/router'
import { createTRPCClient, splitLink, type TRPCClient } from '@trpc/client'
import type { SocketClass } from './bounded-socket.ts'
import { callsLink } from './calls.ts'
import type { Connection } from './connection.ts'
import { cookieCredentials, keyCredentials } from './credentials.ts'
import { openLive } from './live.ts'
import { workingFetch } from './working-fetch.ts'

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
 * 3 seconds after a loss, and each subscription then goes on after the last event it saw. Past a limit that takes work, the
 * client works and the call takes some seconds. Failures are
 * `TRPCClientError`s: the sentence is the `message`, the code `data.reason`.
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
  })
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: links,
        false: callsLink({ url, fetch: workingFetch(fetch) }),
      }),
    ],
  })
  return { api, connection, close }
}
