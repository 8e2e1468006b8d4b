import { MutationCache, QueryCache, QueryClient, type QueryPersister } from '@tanstack/react-query'
import { showFailure } from '../ui/toasts.ts'
import { getReason } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Title of the toast after a failure. If the title is undefined, the caller handles failures itself. */
      readonly failure?: string
      /** Message of the toast, if the server sent no sentence. */
      readonly fallback?: string
      /** The reason of a rejection for which there is no toast, because the screen handles it. */
      readonly except?: string
    }
  }
}

/** Queries that were invalidated during their first fetch, whose response may be older than the change. */
const outdated = new WeakSet<object>()

/**
 * Fetches a query, and records if the query is invalidated during its first fetch, because TanStack Query does not
 * record this.
 */
const noteOutdated: QueryPersister = async (queryFn, context, query) => {
  const { data, isInvalidated } = query.state
  try {
    return await queryFn(context)
  } finally {
    if (data === undefined && !isInvalidated && query.state.isInvalidated) outdated.add(query)
  }
}

/**
 * Query options that fetch data every `everyMs`, and at once on a screen that opens with older data. Use them for data
 * that live events do not update.
 */
export function polled(everyMs: number) {
  return { refetchInterval: everyMs, staleTime: everyMs } as const
}

const listeners = new Set<(path: string, data: unknown) => void>()

/** The cache never refetches by itself, because live events update it and screens refetch the rest. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: (data, { queryKey: [path] }) => {
      for (const listener of listeners) listener(String(path), data)
    },
    onSettled: (_data, _error, query) => {
      if (outdated.delete(query)) void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => {
      if (meta?.failure === undefined || getReason(error) === (meta.except ?? '')) return
      showFailure(meta.failure, error, meta.fallback)
    },
  }),
  defaultOptions: {
    queries: {
      refetchInterval: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      persister: noteOutdated,
      // Set the default mode explicitly, because a persister would change it.
      networkMode: 'online',
    },
    // Make a change fail at once without a network, because a change that waits would run when nobody expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * Calls `onAnswer` when a server response (not a patch) replaces a query of these procedures, such as `tokens,get`.
 * Returns a function that stops this.
 */
export function onServerAnswer(paths: readonly string[], onAnswer: (data: unknown) => void): () => void {
  const listener = (path: string, data: unknown) => {
    if (paths.includes(path)) onAnswer(data)
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}
