import { useDebouncedValue } from '@mantine/hooks'
import { trpc } from '../../../lib/api/api.ts'

/** A pause in typing, ms, after which the server is asked. */
const PAUSE_MS = 120
const FRESH_MS = 10_000

/**
 * Tokens and players for a text, asked once the typing pauses. A call for an older text is cancelled. `isCurrent` says
 * whether the answer, or the failure, is the one for this text; until then the last answer stays.
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
