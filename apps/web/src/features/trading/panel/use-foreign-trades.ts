import { useEffect, useRef } from 'react'
import { type Token, trpc } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { isSettled } from '../../../lib/live/settled-trades.ts'
import { refetchPosition } from '../order/settle-trade.ts'

/**
 * The answer to this page's own order arrives about when its live event does. If it is missing after this time, the
 * order came from elsewhere.
 */
const ANSWER_LAG_MS = 1_500
/** A trade of the last minute may be missing in a position that was read before the trades. */
const RECENT_MS = 60_000

/** Keeps the position current when the player trades or rugs this token in another tab or with a bot. */
export function useForeignTrades(token: Token, userId: number | null): void {
  const { id, ruggedAt } = token
  // Not `tokens.trades`: a busy market pushes the player's trades out of it between two renders.
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
      // A failed refetch leaves an older position; the next trade corrects it.
      if (isOwnRug !== (before?.isOwnRug ?? isOwnRug) || !isSettled(id, latest)) refetchPosition(id).catch(() => {})
    }, ANSWER_LAG_MS)
    return () => clearTimeout(timer)
  }, [id, userId, latest, tradedAt, isOwnRug, isReady])
}
