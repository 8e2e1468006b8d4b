import type { cache as Cache } from '../../lib/api/api.ts'
import { toListing } from '../../lib/market/listing.ts'
import type { ListingChoice } from './listing/listing-choice.ts'

/** Starts the home page's first calls. */
export function prefetchHome(cache: typeof Cache, { q = '', sort = 'newest', rugged, starred }: ListingChoice): void {
  // The watchlist is loaded by ids, so it needs another call.
  if (starred) return
  const { list } = cache.tokens
  const listing = toListing(q, sort, rugged === 'hide')
  // Keep loaded pages, because the screen itself refetches stale ones.
  if (list.getInfiniteData(listing) === undefined) void list.prefetchInfinite(listing)
}
