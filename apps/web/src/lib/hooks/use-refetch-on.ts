import { useEffect, useEffectEvent } from 'react'
import type { MarketEvent, TokenId, UserId } from '../api/api.ts'
import { coalesced } from '../api/coalesced.ts'
import { followMarket, onReconnect } from '../live/follow.ts'

const EVERY_MS = 1_000

/**
 * Calls `refetch` after market events that affect the screen, and after each reconnect, but at most once per `everyMs`.
 * Use it for sums that no single event contains.
 */
export function useRefetchOn(
  concerns: (event: MarketEvent) => boolean,
  refetch: () => Promise<unknown>,
  everyMs = EVERY_MS,
): void {
  const read = useEffectEvent(refetch)
  const isConcerned = useEffectEvent(concerns)
  useEffect(() => {
    const news = coalesced(() => read(), everyMs)
    const stopFollowing = followMarket((event) => {
      if (isConcerned(event)) news.ask()
    })
    const stopWatching = onReconnect(news.ask)
    return () => {
      stopWatching()
      stopFollowing()
      news.stop()
    }
  }, [everyMs])
}

const NONE: ReadonlySet<TokenId> = new Set()

/**
 * Returns whether an event affects what a player holds, has launched or has earned. The event must be about one of
 * `tokens`, or the player must have caused it.
 */
export function concernsHolder(event: MarketEvent, userId: UserId, tokens: ReadonlySet<TokenId> = NONE): boolean {
  if (tokens.has(event.tokenId)) return true
  if (event.type === 'token_launched') return event.creator.id === userId
  return (event.type === 'trade' ? event.trade.userId : event.userId) === userId
}
