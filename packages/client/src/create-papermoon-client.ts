import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient, splitLink } from '@trpc/client'
import { createCallsLink } from './calls.ts'
import { cookieCredentials, keyCredentials } from './credentials.ts'
import { streamEvents } from './events.ts'
import { openLive } from './live.ts'
import { createProofOfWorkFetch } from './proof-of-work-fetch.ts'
import type { ClientOptions, EventsOptions, PapermoonClient } from './types.ts'

/**
 * Max number of concurrent calls. A server accepts 200 connections per IP address, and Node's `fetch` opens one for
 * each call.
 */
const CALLS_MAX = 100

/**
 * Creates a client for one Papermoon server, for Node and browsers. The WebSocket opens with the first subscription.
 * After a lost connection, the client reconnects, and each subscription resumes after its last event. If the server
 * asks for proof of work, the client solves the challenge, which takes some seconds. Calls reject with a
 * `PapermoonError`. At most 100 calls run at once.
 */
export function createPapermoonClient(options: ClientOptions): PapermoonClient {
  const base = options.url
  const url = new URL('/trpc', options.url).href
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const { fetch, openFetch, socketHeaders } =
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
        false: createCallsLink({ url, fetch: createProofOfWorkFetch(createBoundedFetch(fetch)) }),
      }),
    ],
  })
  const events: PapermoonClient['events'] = (options = {}) =>
    streamEvents(base, isPersonal(options) ? openFetch : send, options)
  return { api, connection, events, close }
}

/** Returns whether the stream needs credentials. A stream needs credentials if its events are not public. */
function isPersonal({ fairs, types = [] }: EventsOptions): boolean {
  return fairs !== undefined || types.includes('order')
}

/** Wraps `fetch`. Calls above `CALLS_MAX` wait until a running call has ended. */
function createBoundedFetch(send: typeof fetch): typeof fetch {
  let running = 0
  const waiting: (() => void)[] = []
  return async (url, init) => {
    if (running < CALLS_MAX) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await send(url, init)
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
