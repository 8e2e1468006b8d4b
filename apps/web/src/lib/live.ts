import type { ConnectionState } from '@papermoon/client'
import { RECONNECT_MS } from '@papermoon/client/reconnect'
import { useEffect, useSyncExternalStore } from 'react'
import { cache, type TokenId } from './api.ts'
import { coalesced } from './coalesced.ts'
import { frameBatch } from './frame-batch.ts'
import {
  applyToMarket,
  applyToToken,
  invalidateMarket,
  knownSeq,
  onServerAnswer,
  refetchListing,
} from './live-cache.ts'
import type { MarketEvent } from './live-events.ts'
import { currentConnection, type LiveApi, onConnectionChange, openSocket } from './socket.ts'

/** Events kept to be applied once more to an answer that was on its way while they came. */
const REMEMBERED_MAX = 500
/** The feed begins this long before now, so that it meets what was fetched just before it. */
export const OVERLAP_MS = 10_000

/** Whether the page is live, and since when. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(onConnectionChange, currentConnection)
}

/** However much happens, the order of a listing is fetched at most once in this time, and the tape in the other, ms. */
const LISTING_EVERY_MS = 10_000
const TAPE_EVERY_MS = 2_000

/** Keeps everything cached of the market live while the calling screen is shown. */
export function useMarketFeed(): void {
  useEffect(() => {
    const listing = coalesced(refetchListing, LISTING_EVERY_MS)
    const tape = coalesced(() => cache.tokens.tape.refetch(), TAPE_EVERY_MS)
    const feed = rememberingFeed((events) => {
      const stale = applyToMarket(events)
      if (stale.listing) listing.ask()
      if (stale.tape) tape.ask()
    }, applyToMarket)
    const stopListening = onServerAnswer(['list', 'movers', 'tape'], feed.replay)
    const stopFollowing = followMarket(feed.push)
    // The feed tells only what is new: after a break the market is fetched.
    const stopWatching = onReconnect(() => invalidateMarket('active'))
    return () => {
      stopWatching()
      stopFollowing()
      stopListening()
      feed.stop()
      listing.stop()
      tape.stop()
      invalidateMarket('none')
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
    const stopFollowing = follow((live, handlers) =>
      live.token.subscribe(
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
  let lastEventId = new Date(Date.now() - OVERLAP_MS).toISOString()
  return follow((live, handlers) =>
    live.market.subscribe(
      { lastEventId },
      {
        ...handlers,
        onData: ({ id, data }) => {
          lastEventId = id
          onEvent(data)
        },
      },
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
function follow(subscribe: (live: LiveApi, handlers: Handlers) => { unsubscribe(): void }): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let stopped = false
  let subscription: { unsubscribe(): void } | null = null
  const again = () => {
    if (!stopped) timer ??= setTimeout(start, RECONNECT_MS)
  }
  const start = () => {
    timer = null
    openSocket().then((live) => {
      if (!stopped) subscription = subscribe(live, { onError: again, onComplete: again })
    }, again)
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
  applyAgain: (events: readonly MarketEvent[]) => unknown = apply,
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
