import { trpc } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'

const MINUTE_MS = 60_000

/** Today's tape and what the player or guest made of it; a page that is left open comes to the next day's. */
export function useTape() {
  return trpc.tape.today.useQuery(undefined, {
    refetchInterval: ({ state: { data } }) =>
      data ? Math.max(MINUTE_MS, Date.parse(data.endsAt) - serverNow()) : false,
  })
}
