import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { showFailure } from '../ui/toasts.ts'
import { getReason } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Title of the toast after a failure. Without one, the mutation handles its failures itself. */
      readonly failure?: string
      /** Message of the toast if the server sent no sentence. */
      readonly fallback?: string
      /** The reason for a rejection that shows no toast, because the screen handles it. */
      readonly except?: string
    }
  }
}

const listeners = new Set<(path: string, data: unknown) => void>()

/**
 * The query cache. It never refetches automatically: live events patch it, and screens refetch what no event carries.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: (data, { queryKey: [path] }) => {
      for (const listener of listeners) listener(String(path), data)
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
      // Repeats a first fetch if its data is invalidated before the response arrives. TanStack Query would accept that
      // outdated response.
      behavior: {
        onFetch: (context, query) => {
          const { fetchFn } = context
          const { data, isInvalidated } = query.state
          if (data !== undefined || isInvalidated) return
          context.fetchFn = async () => {
            const [first] = await Promise.allSettled([fetchFn()])
            if (query.state.isInvalidated) return fetchFn()
            if (first.status === 'rejected') throw first.reason
            return first.value
          }
        },
      },
    },
    // Without a network, a change fails at once. Otherwise it would wait, and run when nobody expects it any more.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * Calls `onAnswer` when a server response (not a patch) replaces a query of these procedures, such as `tokens,get`.
 * Returns a function that stops it.
 */
export function onServerAnswer(paths: readonly string[], onAnswer: (data: unknown) => void): () => void {
  const listener = (path: string, data: unknown) => {
    if (paths.includes(path)) onAnswer(data)
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}
