import { useQuery } from '@tanstack/react-query'
import { client, type TokenId } from '../../lib/api/api.ts'
import classes from './watching.module.css'

/** The server forgets a page that has not called for 45 seconds. */
const EVERY_MS = 20_000

/** How many look at a token's page now; nothing for one alone. */
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
    <span className={classes.watching} title={`${data.watching} watching`}>
      <span aria-hidden="true">👀</span> {data.watching}
      <span className="visually-hidden"> watching</span>
    </span>
  )
}
