import { isFairToken } from '@papermoon/contract/fair-tokens'
import { useEffect } from 'react'
import { cache, type MarketEvent, type Position, type UserId } from '../api/api.ts'
import { coalesced } from '../api/coalesced.ts'
import { isResponseCached, refetchPlayer } from '../api/current-user.ts'
import { onServerAnswer } from '../api/query-client.ts'
import { serverNow } from '../api/server-now.ts'
import { whenIdle } from '../boot/when-idle.ts'
import { concernsHolder } from '../hooks/use-refetch-on.ts'
import { followMarket, onReconnect } from './follow.ts'

const EVERY_MS = 1_000
/**
 * How long to wait for an order's response after its live event, in ms. If no response arrives, another tab or a bot
 * placed the order.
 */
const ANSWER_LAG_MS = 1_500

/**
 * Updates the balance and the positions when the player acts in another tab or with a bot. Refetches both after each
 * reconnect, and after an own event without a response on this page. Refetches only the balance after a response with
 * another balance. `fairId` selects the player's account in a fair.
 */
export function useOwnAccount(userId: UserId | null, fairId?: number): void {
  useEffect(() => {
    if (userId === null) return
    let arePositionsOld = false
    const news = coalesced(async () => {
      const refetchPositions = arePositionsOld
      arePositionsOld = false
      if (fairId === undefined) await refetchPlayer().catch(() => {})
      const isLoggedIn = cache.auth.me.getData() != null
      // Refetch all positions, because in a fair a position also contains the balance.
      if (refetchPositions && isLoggedIn) void cache.trading.position.invalidate()
    }, EVERY_MS)
    const refetchAll = () => {
      arePositionsOld = true
      news.ask()
    }
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const onEvent = (event: MarketEvent) => {
      if (!concernsHolder(event, userId)) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (event.type === 'trade' && isResponseCached(event.tokenId, event.seq)) return
        refetchAll()
      }, ANSWER_LAG_MS)
      timers.add(timer)
    }
    let stopFollowing = () => {}
    // Also check earlier events, because a busy browser may become idle later than the feed's overlap allows.
    const sinceMs = serverNow()
    const callOff = whenIdle(() => {
      stopFollowing = followMarket(onEvent, { sinceMs, fairId })
    })
    const stopListening = onServerAnswer(['trading,position'], (position) => {
      if (fairId === undefined && isOtherBalance(position as Position)) news.ask()
    })
    const stopWatching = onReconnect(refetchAll)
    return () => {
      callOff()
      stopWatching()
      stopListening()
      stopFollowing()
      for (const timer of timers) clearTimeout(timer)
      news.stop()
    }
  }, [userId, fairId])
}

/**
 * Returns whether a fetched position in the main game has another balance than the cache. Either balance may be newer.
 */
function isOtherBalance({ tokenId, balance }: Position): boolean {
  return !isFairToken(tokenId) && balance !== cache.auth.me.getData()?.solBalance
}
