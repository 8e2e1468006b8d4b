import type { AppRouter } from '@papermoon/contract/router'
import { httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client'
import superjson from 'superjson'
import { BATCH_MAX, URL_CHARS_MAX } from './batch.ts'

export interface CallOptions {
  /** tRPC's URL, such as `http://localhost:3000/trpc`, or only the path on the server's own pages. */
  readonly url: string
  /** The default is the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Names of queries that must not wait for other queries in a batch. */
  readonly alone?: readonly string[]
  /** Whether to send queries with POST, so that their inputs are not in URLs. */
  readonly methodOverride?: 'POST'
}

/**
 * Creates a link that sends calls over HTTP: queries in batches, but each mutation alone, because the server rejects
 * some mutations in a batch.
 */
export function createCallsLink({ alone = [], ...options }: CallOptions): TRPCLink<AppRouter> {
  const http = { ...(options as CallOptions & { readonly fetch: never }), transformer: superjson }
  return splitLink({
    condition: ({ type, path }) => type === 'mutation' || alone.includes(path),
    true: httpLink<AppRouter>(http),
    false: httpBatchLink<AppRouter>({ ...http, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
  })
}
