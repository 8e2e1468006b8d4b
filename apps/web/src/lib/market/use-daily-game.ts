import { trpc } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'

const MINUTE_MS = 60_000

/** Returns today's daily game with the visitor's own result. A page that stays open switches to the next day's game. */
export function useDailyGame() {
  return trpc.tape.today.useQuery(undefined, {
    refetchInterval: ({ state: { data } }) =>
      data ? Math.max(MINUTE_MS, Date.parse(data.endsAt) - serverNow()) : false,
  })
}
