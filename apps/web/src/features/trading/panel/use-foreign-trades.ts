import { useEffect, useRef } from 'react'
import { type Token, trpc } from '../../../lib/api/api.ts'
import { isSettled } from '../../../lib/live/settled-trades.ts'
import { refetchPosition } from '../order/settle-trade.ts'

/** The answer to an order of this page comes about when its live event does; later, the order came from elsewhere. */
const ANSWER_LAG_MS = 1_500

/** Keeps the position right when the player trades this token, or pulls its rug, somewhere else. */
export function useForeignTrades(token: Token, userId: number | null): void {
  const { id, ruggedAt } = token
  // Not the list of trades: a flood pushes the player's out of it before anybody has seen them there.
  const trades = trpc.tokens.markedTrades.useQuery({ id })
  const latest = trades.data?.find((trade) => trade.userId === userId)?.seq ?? 0
  const isReady = trades.isSuccess
  const isOwnRug = ruggedAt !== null && token.creator.id === userId
  const known = useRef<{ latest: number; isOwnRug: boolean } | null>(null)

  useEffect(() => {
    if (userId === null || !isReady) return
    const before = known.current
    known.current = { latest, isOwnRug }
    if (before === null || (before.latest === latest && before.isOwnRug === isOwnRug)) return
    const timer = setTimeout(() => {
      // A position that cannot be fetched now is only older: the next trade brings it.
      if (isOwnRug !== before.isOwnRug || !isSettled(id, latest)) refetchPosition(id).catch(() => {})
    }, ANSWER_LAG_MS)
    return () => clearTimeout(timer)
  }, [id, userId, latest, isOwnRug, isReady])
}
