import { useQuery } from '@tanstack/react-query'
import { client, type TokenId } from '../../lib/api/api.ts'

/**
 * Time between two reports that the page is open, in ms. The server forgets a page 45 seconds after its last report.
 */
const EVERY_MS = 20_000

/** Shows how many visitors are looking at a token's page. Renders nothing if there is only one visitor. */
export function Watching({ id }: { id: TokenId }) {
  const { data } = useQuery({
    queryKey: [['watching'], id],
    queryFn: () => client.tokens.watch.mutate({ id }),
    refetchInterval: EVERY_MS,
    staleTime: 0,
    retry: false,
  })
  if (data === undefined || data.watching < 2) return null
  return (
    <span className="mb-s small semibold text-center nowrap" title={`${data.watching} watching`}>
      <span aria-hidden="true">👀</span> {data.watching}
      <span className="visually-hidden"> watching</span>
    </span>
  )
}
