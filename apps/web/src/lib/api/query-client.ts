import { type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

/** Asks once more for what was first asked before a change: TanStack lets a first answer on its way stand. */
class LiveQueryClient extends QueryClient {
  override invalidateQueries(filters?: InvalidateQueryFilters, options?: object): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' } as object)) {
      const again = () => void super.invalidateQueries({ ...filters, queryKey: query.queryKey, exact: true })
      if (query.state.data === undefined) query.promise?.then(again, again)
    }
    return super.invalidateQueries(filters, options)
  }
}

/** No automatic refetching: live events patch the cache, and screens refetch what no event carries. */
export const queryClient = new LiveQueryClient({
  defaultOptions: {
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY, retry: false },
    mutations: { retry: false },
  },
})
