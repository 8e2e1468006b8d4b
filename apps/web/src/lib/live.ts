import { useEffect, useSyncExternalStore } from 'react'
import { cache, client, type TokenId } from './api.ts'
import { frameBatch } from './frame-batch.ts'
import { applyToListing, applyToToken, knownSeq, LISTING, onServerAnswer } from './live-cache.ts'
import type { MarketEvent } from './live-events.ts'
import { type Connection, currentConnection, onConnectionChange, RECONNECT_MS } from './socket.ts'

/** Events kept to be applied once more to an answer that was on its way while they came. */
const REMEMBERED_MAX = 500
/** The feed begins this long before now, so that it meets what was fetched just before it. */
export const OVERLAP_MS = 10_000

/** Whether the page is live, and since when. */
export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, currentConnection)
}

/** Keeps the cached listing live while the calling screen is shown. */
export function useMarketFeed(): void {
  useEffect(() => {
    const feed = rememberingFeed(applyToListing)
    const stopListening = onServerAnswer(['list'], feed.replay)
    const stopFollowing = followMarket(feed.push)
    // The feed tells only what is new: after a break the listing is fetched.
    const stopWatching = onReconnect(() => void cache.tokens.list.invalidate(LISTING))
    return () => {
      stopWatching()
      stopFollowing()
      stopListening()
      feed.stop()
      void cache.tokens.list.invalidate(LISTING, { refetchType: 'none' })
    }
  }, [])
}

/**
 * Keeps everything cached of a token live while the calling screen is shown; `onEvents` hears of the events too. The
 * feed begins after the last event that the cache knows, so start it (`ready`) when the token is there.
 */
export function useTokenFeed(id: TokenId, ready: boolean, onEvents?: (events: readonly MarketEvent[]) => void): void {
  useEffect(() => {
    if (!ready) return
    const feed = rememberingFeed(
      (events) => {
        applyToToken(id, events)
        onEvents?.(events)
      },
      (events) => applyToToken(id, events),
    )
    const stopListening = onServerAnswer(['get', 'trades', 'holders', 'chart'], feed.replay)
    const stopFollowing = follow((handlers) =>
      client.live.token.subscribe(
        { tokenId: id, lastEventId: seqText(knownSeq(id)) },
        { ...handlers, onData: ({ data }) => feed.push(data) },
      ),
    )
    return () => {
      stopFollowing()
      stopListening()
      feed.stop()
    }
  }, [id, ready, onEvents])
}

/** Calls `onEvent` for all that happens on the market, from a little before now on; returns the way to stop. */
export function followMarket(onEvent: (event: MarketEvent) => void): () => void {
  return follow((handlers) =>
    client.live.market.subscribe(
      { lastEventId: new Date(Date.now() - OVERLAP_MS).toISOString() },
      { ...handlers, onData: ({ data }) => onEvent(data) },
    ),
  )
}

function seqText(seq: number | null): string | null {
  return seq === null ? null : String(seq)
}

interface Handlers {
  onError: (error: unknown) => void
  onComplete: () => void
}

/** Keeps a subscription up: one that the server ends is asked for again 3 seconds later. */
function follow(subscribe: (handlers: Handlers) => { unsubscribe(): void }): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let stopped = false
  let subscription: { unsubscribe(): void } | null = null
  const again = () => {
    if (!stopped) timer ??= setTimeout(start, RECONNECT_MS)
  }
  const start = () => {
    timer = null
    subscription = subscribe({ onError: again, onComplete: again })
  }
  start()
  return () => {
    stopped = true
    if (timer !== null) clearTimeout(timer)
    subscription?.unsubscribe()
  }
}

/** Applies events frame by frame and remembers the latest, to apply them again to an answer that is older than they. */
function rememberingFeed(
  apply: (events: readonly MarketEvent[]) => void,
  applyAgain: (events: readonly MarketEvent[]) => void = apply,
) {
  let remembered: MarketEvent[] = []
  const batch = frameBatch<MarketEvent>((events) => {
    remembered = [...remembered, ...events].slice(-REMEMBERED_MAX)
    apply(events)
  })
  return { push: batch.push, stop: batch.stop, replay: () => applyAgain(remembered) }
}

/** Calls `onBack` each time the live connection is there again after it was lost; returns the way to stop. */
export function onReconnect(onBack: () => void): () => void {
  let wasOffline = currentConnection().state === 'offline'
  return onConnectionChange(() => {
    const { state } = currentConnection()
    if (state === 'live' && wasOffline) onBack()
    wasOffline = state === 'offline'
  })
}
