import type { cache as Cache } from '../../lib/api/api.ts'
import { sleep } from '../../lib/boot/when-idle.ts'
import { prefetchFairList } from '../../lib/fairs/use-fair-list.ts'
import { toListing } from '../../lib/market/listing.ts'
import type { ListingChoice } from './listing/listing-choice.ts'

/** Starts the home page's first requests, including those of parts whose code loads later. */
export function prefetchHome(cache: typeof Cache, { q = '', sort = 'newest', rugged, starred }: ListingChoice): void {
  void prefetchTicket(cache)
  void cache.tokens.tape.prefetch()
  void cache.tokens.movers.prefetch()
  // Do not prefetch the watchlist, because its call loads tokens by their ids.
  if (starred) return
  const { list } = cache.tokens
  const listing = toListing(q, sort, rugged === 'hide')
  // Keep loaded pages, because the screen itself fetches stale pages again.
  if (list.getInfiniteData(listing) === undefined) void list.prefetchInfinite(listing)
}

/** Starts the calls for the player's ticket, or for the links that guests see instead. */
async function prefetchTicket(cache: typeof Cache): Promise<void> {
  const user = await cache.auth.me.ensureData().catch(() => null)
  // Keep these calls out of the batch above, because the page preloads that batch before it knows the visitor.
  await sleep(0)
  void cache.tape.today.prefetch()
  void prefetchFairList(cache)
  if (user === null) return
  void cache.portfolio.summary.prefetch()
  void cache.fairs.league.prefetch()
}
