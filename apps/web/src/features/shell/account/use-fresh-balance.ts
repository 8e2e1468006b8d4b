import { isFairToken } from '@papermoon/contract/fair-tokens'
import { getQueryKey } from '@trpc/react-query'
import { useEffect } from 'react'
import { cache, type Position, type TokenId, trpc, type UserId } from '../../../lib/api/api.ts'
import { coalesced } from '../../../lib/api/coalesced.ts'
import { refetchPlayer } from '../../../lib/api/current-user.ts'
import { queryClient } from '../../../lib/api/query-client.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import { isResponseCached } from '../../../lib/live/cached-responses.ts'
import { concernsHolder } from '../../../lib/live/concerns-holder.ts'
import { followMarket, onReconnect } from '../../../lib/live/follow.ts'
import type { MarketEvent } from '../../../lib/live/live-events.ts'

const EVERY_MS = 1_000
/**
 * How long to wait for an order response after its live event, ms. If the response is still missing, the order came
 * from elsewhere.
 */
const ANSWER_LAG_MS = 1_500
const NO_TOKENS: ReadonlySet<TokenId> = new Set()

/**
 * Keeps the balance current when the player acts in another tab or with a bot. Refetches the balance after an own event
 * without a response on this page, after a response with another balance, and after each reconnect.
 */
export function useFreshBalance(userId: UserId | null): void {
  useEffect(() => {
    if (userId === null) return
    const news = coalesced(() => refetchPlayer(), EVERY_MS)
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const onEvent = (event: MarketEvent) => {
      if (!concernsHolder(event, userId, NO_TOKENS)) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (event.type !== 'trade' || !isResponseCached(event.tokenId, event.seq)) news.ask()
      }, ANSWER_LAG_MS)
      timers.add(timer)
    }
    let stopFollowing = () => {}
    // Check the events since then, because a busy browser may become idle only after more than the feed's overlap.
    const sinceMs = serverNow()
    const callOff = whenIdle(() => {
      stopFollowing = followMarket(onEvent, sinceMs)
    })
    const stopListening = onOtherBalance(news.ask)
    const stopWatching = onReconnect(news.ask)
    return () => {
      callOff()
      stopWatching()
      stopListening()
      stopFollowing()
      for (const timer of timers) clearTimeout(timer)
      news.stop()
    }
  }, [userId])
}

/**
 * Calls `onOther` when a fetched response in the main game has another balance than the cache. Either balance may be
 * newer, so the caller must refetch.
 */
function onOtherBalance(onOther: () => void): () => void {
  const path = JSON.stringify(getQueryKey(trpc.trading.position)[0])
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    if (JSON.stringify(event.query.queryKey[0]) !== path) return
    const { tokenId, balance } = event.query.state.data as Position
    if (!isFairToken(tokenId) && balance !== cache.auth.me.getData()?.solBalance) onOther()
  })
}
