import { useDebouncedValue } from '@mantine/hooks'
import { trpc } from '../../../lib/api/api.ts'

/** How long typing must pause before a request is sent, ms. */
const PAUSE_MS = 120
const FRESH_MS = 10_000

/**
 * Returns tokens and players for a text. The request is sent once typing pauses. An older text's request is cancelled.
 * `isCurrent` says whether the response or failure belongs to this text. Until the response arrives, the previous
 * response remains.
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
