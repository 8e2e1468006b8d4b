import type { AppRouter } from '@papermoon/api/router'
import { httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client'
import superjson from 'superjson'
import { ALONE, BATCH_MAX, URL_CHARS_MAX } from './batch.ts'

export interface CallOptions {
  /** URL of tRPC: `http://localhost:3000/trpc`. The server's own pages may leave out the host. */
  readonly url: string
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Calls that must not wait for others in a batch, in addition to those in `ALONE`. */
  readonly alone?: readonly string[]
}

/** Link for queries and mutations over HTTP: batched, except for `alone` and calls that must not be in a batch. */
export function createCallsLink({ url, fetch, alone = [] }: CallOptions): TRPCLink<AppRouter> {
  const http = { url, transformer: superjson, ...(fetch !== undefined && { fetch: fetch as never }) }
  return splitLink({
    condition: ({ path }) => ALONE.has(path) || alone.includes(path),
    true: httpLink<AppRouter>(http),
    false: httpBatchLink<AppRouter>({ ...http, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
  })
}
