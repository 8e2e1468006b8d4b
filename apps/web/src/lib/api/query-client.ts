import { type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

/**
 * A query client that repeats a first fetch if its data is invalidated before the response arrives. TanStack Query
 * would otherwise accept that outdated response.
 */
class LiveQueryClient extends QueryClient {
  override invalidateQueries(filters?: InvalidateQueryFilters, options?: object): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' } as object)) {
      const again = () => void super.invalidateQueries({ ...filters, queryKey: query.queryKey, exact: true })
      if (query.state.data === undefined) query.promise?.then(again, again)
    }
    return super.invalidateQueries(filters, options)
  }
}

export const queryClient = new LiveQueryClient({
  defaultOptions: {
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY, retry: false },
    mutations: { retry: false },
  },
})
