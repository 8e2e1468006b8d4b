import { useEffect, useRef } from 'react'
import { type Token, trpc } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { isResponseCached } from '../../../lib/live/cached-responses.ts'
import { refetchPosition } from '../order/cache-trade.ts'

/**
 * How long to wait for an order's response after its live event, ms. Without a response, the order came from elsewhere.
 */
const ANSWER_LAG_MS = 1_500
/** How long a trade counts as recent, ms. A holding that was fetched before may lack recent trades. */
const RECENT_MS = 60_000

/** Updates the holding when the player trades or rugs this token in another tab or with a bot. */
export function useForeignTrades(token: Token, userId: number | null): void {
  const { id, ruggedAt } = token
  // Do not use `tokens.trades`, because in a busy market the player's trades can leave that list between two renders.
  const trades = trpc.tokens.markedTrades.useQuery({ id })
  const last = trades.data?.find((trade) => trade.userId === userId)
  const latest = last?.seq ?? 0
  const tradedAt = last?.createdAt
  const isReady = trades.isSuccess
  const isOwnRug = ruggedAt !== null && token.creator.id === userId
  const known = useRef<{ latest: number; isOwnRug: boolean } | null>(null)

  useEffect(() => {
    if (userId === null || !isReady) return
    const before = known.current
    known.current = { latest, isOwnRug }
    const isNews =
      before === null
        ? tradedAt !== undefined && serverNow() - Date.parse(tradedAt) < RECENT_MS
        : before.latest !== latest || before.isOwnRug !== isOwnRug
    if (!isNews) return
    const timer = setTimeout(() => {
      // After a failed refetch, the older holding remains until the next trade corrects it.
      if (isOwnRug !== (before?.isOwnRug ?? isOwnRug) || !isResponseCached(id, latest))
        refetchPosition(id).catch(() => {})
    }, ANSWER_LAG_MS)
    return () => clearTimeout(timer)
  }, [id, userId, latest, tradedAt, isOwnRug, isReady])
}
