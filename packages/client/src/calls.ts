import type { AppRouter } from '@papermoon/api/router'
import { httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client'
import superjson from 'superjson'
import { ALONE, BATCH_MAX, URL_CHARS_MAX } from './batch.ts'

export interface CallOptions {
  /** Where tRPC is: `http://localhost:3000/trpc`; a page of the server's own may leave out the host. */
  readonly url: string
  /** The runtime's own unless told. */
  readonly fetch?: typeof fetch
  /** Calls that no other may hold up, beside those that the server refuses in a batch. */
  readonly alone?: readonly string[]
}

/** The way of queries and mutations: HTTP, in batches that the server takes, and alone what may not be in one. */
export function callsLink({ url, fetch, alone = [] }: CallOptions): TRPCLink<AppRouter> {
  const http = { url, transformer: superjson, ...(fetch !== undefined && { fetch: fetch as never }) }
  return splitLink({
    condition: ({ path }) => ALONE.has(path) || alone.includes(path),
    true: httpLink<AppRouter>(http),
    false: httpBatchLink<AppRouter>({ ...http, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
  })
}
