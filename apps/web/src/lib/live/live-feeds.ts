import { cache, type TokenId } from '../api/api.ts'
import { coalesced } from '../api/coalesced.ts'
import { invalidateMarket, refetchListing } from '../market/market-queries.ts'
import { follow, followMarket, onReconnect } from './follow.ts'
import { frameBatch } from './frame-batch.ts'
import { applyToMarket, applyToToken, knownSeq, onServerAnswer } from './live-cache.ts'
import type { MarketEvent } from './live-events.ts'

/** Events kept to be applied once more to an answer that was on its way while they came. */
const REMEMBERED_MAX = 500
/** However much happens, the order of a listing is fetched at most once in this time, and the tape in the other, ms. */
const LISTING_EVERY_MS = 10_000
const TAPE_EVERY_MS = 2_000

/** Keeps everything cached of the market live, from what was fetched at `sinceMs` or later on; returns the way to stop. */
export function startMarketFeed(sinceMs: number): () => void {
  const listing = coalesced(refetchListing, LISTING_EVERY_MS)
  const tape = coalesced(() => cache.tokens.tape.refetch(), TAPE_EVERY_MS)
  const feed = rememberingFeed((events) => {
    const stale = applyToMarket(events)
    if (stale.listing) listing.ask()
    if (stale.tape) tape.ask()
  }, applyToMarket)
  const stopListening = onServerAnswer(['list', 'movers', 'tape'], feed.replay)
  const stopFollowing = followMarket(feed.push, sinceMs)
  // The feed tells only what is new: after a break the market is fetched.
  const stopWatching = onReconnect(() => invalidateMarket('active'))
  return () => {
    stopWatching()
    stopFollowing()
    stopListening()
    feed.stop()
    listing.stop()
    tape.stop()
  }
}

/** Keeps everything cached of a token live, after the last event that the cache knows; returns the way to stop. */
export function startTokenFeed(id: TokenId, onEvents?: (events: readonly MarketEvent[]) => void): () => void {
  const feed = rememberingFeed(
    (events) => {
      applyToToken(id, events)
      onEvents?.(events)
    },
    (events) => applyToToken(id, events),
  )
  const stopListening = onServerAnswer(['get', 'trades', 'markedTrades', 'holders', 'chart'], feed.replay)
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
}

function seqText(seq: number | null): string | null {
  return seq === null ? null : String(seq)
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
