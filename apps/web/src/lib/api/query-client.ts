import { QueryClient } from '@tanstack/react-query'

/** Nothing is fetched twice by itself: live events patch the cache, and a screen refetches what it must. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY, retry: false },
    mutations: { retry: false },
  },
})
