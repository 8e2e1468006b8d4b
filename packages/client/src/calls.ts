import type { AppRouter } from '@papermoon/contract/router'
import { httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client'
import superjson from 'superjson'
import { BATCH_MAX, URL_CHARS_MAX } from './batch.ts'

export interface CallOptions {
  /** tRPC's URL, such as `http://localhost:3000/trpc`. On the server's own pages, the URL is only a path. */
  readonly url: string
  /** The `fetch` to use (default: the global one). */
  readonly fetch?: typeof fetch
  /** Names of queries that are sent alone, because they must not wait for others in a batch. */
  readonly alone?: readonly string[]
  /** Whether to send queries with POST, so that URLs do not contain their inputs. */
  readonly methodOverride?: 'POST'
}

/**
 * Creates a link that sends calls over HTTP. Queries are sent in batches, but each mutation is sent alone, because the
 * server rejects some mutations in a batch.
 */
export function createCallsLink({ alone = [], ...options }: CallOptions): TRPCLink<AppRouter> {
  const http = { ...(options as CallOptions & { readonly fetch: never }), transformer: superjson }
  return splitLink({
    condition: ({ type, path }) => type === 'mutation' || alone.includes(path),
    true: httpLink<AppRouter>(http),
    false: httpBatchLink<AppRouter>({ ...http, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
  })
}
