import { useDebouncedValue } from '@mantine/hooks'
import { trpc } from '../../../lib/api/api.ts'

/** Time without typing after which a request is sent, in ms. */
const PAUSE_MS = 120
const FRESH_MS = 10_000

/**
 * Returns tokens and players for a text. The request is sent when the visitor pauses typing. The request for an older
 * text is cancelled. `isCurrent` says whether the response or failure belongs to this text. The previous response
 * remains until a new one arrives.
 */
export function useFound(text: string) {
  const query = text.trim()
  const [asked] = useDebouncedValue(query, PAUSE_MS)
  const search = trpc.search.everything.useQuery(
    { query: asked },
    {
      enabled: asked !== '' && query !== '',
      staleTime: FRESH_MS,
      placeholderData: (previous) => previous,
      trpc: { abortOnUnmount: true },
    },
  )
  const isCurrent = query === '' || (asked === query && !search.isFetching)
  return {
    data: query === '' ? undefined : search.data,
    error: search.error,
    isCurrent,
    retry: () => void search.refetch(),
  }
}
