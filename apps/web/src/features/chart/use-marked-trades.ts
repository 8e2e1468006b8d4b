import { useEffect } from 'react'
import { cache, type MarkedTrade, type Token, trpc } from '../../lib/api.ts'

/** As many as the server tells. */
const MARKED_MAX = 200
const NONE: readonly MarkedTrade[] = []

/**
 * The trades of a token's creator and the player's own, newest first. They outlast the list of trades, from which a
 * busy market pushes them within a second; those that happen are taken from that list as they come.
 */
export function useMarkedTrades({ id, creator }: Token, ownId: number | null): readonly MarkedTrade[] {
  const marked = trpc.tokens.markedTrades.useQuery({ id }).data
  const trades = trpc.tokens.trades.useQuery({ id }).data
  const creatorId = creator.id
  useEffect(() => {
    if (marked === undefined || trades === undefined) return
    const known = marked[0]?.seq ?? 0
    const fresh = trades.filter(({ seq, userId }) => seq > known && (userId === ownId || userId === creatorId))
    if (fresh.length > 0) cache.tokens.markedTrades.setData({ id }, [...fresh, ...marked].slice(0, MARKED_MAX))
  }, [id, creatorId, ownId, marked, trades])
  return marked ?? trades ?? NONE
}
