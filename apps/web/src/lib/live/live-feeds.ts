import { cache, type MarketEvent, type TokenId } from '../api/api.ts'
import { coalesced } from '../api/coalesced.ts'
import { onServerAnswer } from '../api/query-client.ts'
import { invalidateMarket, refetchListing } from '../market/market-queries.ts'
import { follow, followMarket, onReconnect } from './follow.ts'
import { applyToToken, knownSeq, tokenReadAt } from './live-cache.ts'
import { applyToMarket } from './live-market.ts'

/**
 * Max number of recent events in memory. These events are applied again to responses that were pending when the events
 * arrived.
 */
const RECENT_MAX = 500
/** Min time between two reads of the listing, in ms. */
const LISTING_EVERY_MS = 10_000
const TICKER_EVERY_MS = 2_000

/** Queries that events update. */
const MARKET_QUERIES = ['tokens,list', 'tokens,byIds', 'tokens,movers', 'tokens,tape']
const TOKEN_QUERIES = ['tokens,get', 'tokens,trades', 'tokens,markedTrades', 'tokens,holders', 'tokens,chart']

/** Updates all cached market queries with live events since `sinceMs`. Returns a function that stops this. */
export function startMarketFeed(sinceMs: number): () => void {
  const listing = coalesced(refetchListing, LISTING_EVERY_MS)
  const tradeTicker = coalesced(() => cache.tokens.tape.refetch(), TICKER_EVERY_MS)
  const feed = createReplayingFeed((events) => {
    const stale = applyToMarket(events)
    if (stale.listing) listing.ask()
    if (stale.tradeTicker) tradeTicker.ask()
  }, applyToMarket)
  const stopListening = onServerAnswer(MARKET_QUERIES, feed.replay)
  const stopFollowing = followMarket(feed.push, { sinceMs })
  // After an interruption, fetch everything again, because the feed sends only new events.
  const stopWatching = onReconnect(() => invalidateMarket('active'))
  return () => {
    stopWatching()
    stopFollowing()
    stopListening()
    feed.stop()
    listing.stop()
    tradeTicker.stop()
  }
}

/**
 * Updates a token's cached queries with live events that they do not include yet. Returns a function that stops this.
 */
export function startTokenFeed(id: TokenId, onEvents?: (events: readonly MarketEvent[]) => void): () => void {
  const feed = createReplayingFeed(
    (events) => {
      applyToToken(id, events)
      onEvents?.(events)
    },
    (events) => applyToToken(id, events),
  )
  const stopListening = onServerAnswer(TOKEN_QUERIES, feed.replay)
  const stopFollowing = follow<MarketEvent>({
    from: knownSeq(id)?.toString(),
    subscribe: ({ live }, handlers, lastEventId) => live.token.subscribe({ tokenId: id, lastEventId }, handlers),
    onData: feed.push,
  })
  // Get seal events from the market feed, because the feed of a single token contains none.
  const pushSeal = (event: MarketEvent) => {
    if (event.tokenId === id) feed.push(event)
  }
  const stopSeals = followMarket(pushSeal, { sinceMs: tokenReadAt(id), types: ['seal'] })
  return () => {
    stopSeals()
    stopFollowing()
    stopListening()
    feed.stop()
  }
}

/**
 * Applies events in batches, one batch per frame. Stores the latest events, so that they can be applied again to older
 * responses.
 */
function createReplayingFeed(
  apply: (events: readonly MarketEvent[]) => void,
  applyAgain: (events: readonly MarketEvent[]) => unknown = apply,
) {
  let recent: MarketEvent[] = []
  const batch = frameBatch<MarketEvent>((events) => {
    recent = [...recent, ...events].slice(-RECENT_MAX)
    apply(events)
  })
  return { push: batch.push, stop: batch.stop, replay: () => applyAgain(recent) }
}

/** Max time between two deliveries in a hidden tab, in ms. Hidden tabs get no animation frames. */
const HIDDEN_FLUSH_MS = 1_000
/** Min time between two deliveries under load, in ms. In between, the page can respond to the visitor. */
const FLOOD_FLUSH_MS = 100
/** Max number of pending items. As soon as there are this many, they are delivered, which limits memory. */
const PENDING_MAX = 2_000

/**
 * Collects items and delivers them in batches. A few items are delivered in the next animation frame; many items are
 * delivered at most every `FLOOD_FLUSH_MS`.
 */
export function frameBatch<T>(deliver: (items: readonly T[]) => void) {
  let pending: T[] = []
  let flushedAt = Number.NEGATIVE_INFINITY
  let frame: number | null = null
  let pause: ReturnType<typeof setTimeout> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  const cancel = () => {
    if (frame !== null) cancelAnimationFrame(frame)
    if (pause !== null) clearTimeout(pause)
    if (timer !== null) clearTimeout(timer)
    frame = null
    pause = null
    timer = null
  }
  const flush = () => {
    cancel()
    const items = pending
    pending = []
    if (items.length > 0) deliver(items)
    // Measure the time after the work, so that there is time between two deliveries even if the work takes long.
    flushedAt = performance.now()
  }
  const askForFrame = () => {
    frame = requestAnimationFrame(flush)
  }
  const schedule = () => {
    timer = setTimeout(flush, HIDDEN_FLUSH_MS)
    const pauseMs = flushedAt + FLOOD_FLUSH_MS - performance.now()
    if (pauseMs <= 0) askForFrame()
    else pause = setTimeout(askForFrame, pauseMs)
  }
  return {
    push(item: T) {
      pending.push(item)
      if (pending.length >= PENDING_MAX) return flush()
      if (timer === null) schedule()
    },
    /** Discards the pending items, and ignores later ones. */
    stop() {
      cancel()
      pending = []
    },
  }
}
