import { QueryClient } from '@tanstack/react-query'

/** No automatic refetching: live events patch the cache, and screens refetch what no event carries. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY, retry: false },
    mutations: { retry: false },
  },
})
