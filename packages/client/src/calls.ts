import type { AppRouter } from '@papermoon/contract/router'
import { httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client'
import superjson from 'superjson'
import { BATCH_MAX, URL_CHARS_MAX } from './batch.ts'

export interface CallOptions {
  /** URL of tRPC: `http://localhost:3000/trpc`. The server's own pages can omit the host. */
  readonly url: string
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Queries that must not wait for others in a batch. */
  readonly alone?: readonly string[]
  /** Sends queries with POST, too, so that their inputs are not in URLs. */
  readonly methodOverride?: 'POST'
}

/** Sends calls over HTTP: queries in batches, mutations alone, since the server refuses some in a batch. */
export function createCallsLink({ alone = [], ...options }: CallOptions): TRPCLink<AppRouter> {
  const http = { ...(options as CallOptions & { readonly fetch: never }), transformer: superjson }
  return splitLink({
    condition: ({ type, path }) => type === 'mutation' || alone.includes(path),
    true: httpLink<AppRouter>(http),
    false: httpBatchLink<AppRouter>({ ...http, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
  })
}
