import type { cache as Cache } from '../../lib/api/api.ts'
import { OVERLAP_MS } from '../../lib/live/follow.ts'

/** Fetch older data again, because the live feed covers only events since then. */
const FRESH = { staleTime: OVERLAP_MS }

export async function prefetchPortfolio(cache: typeof Cache): Promise<void> {
  if (await isGuest(cache)) return
  await Promise.all([
    cache.portfolio.summary.prefetch(undefined, FRESH),
    cache.portfolio.get.prefetch({}, FRESH),
    prefetchNetWorth(cache),
    cache.portfolio.history.prefetch({ timeframe: 'ALL' }, FRESH),
  ])
}

export async function prefetchDashboard(cache: typeof Cache): Promise<void> {
  if (await isGuest(cache)) return
  await Promise.all([cache.portfolio.dashboard.prefetch(undefined, FRESH), prefetchNetWorth(cache)])
}

function prefetchNetWorth(cache: typeof Cache): Promise<void> {
  return cache.portfolio.netWorth.prefetch(undefined, FRESH)
}

async function isGuest(cache: typeof Cache): Promise<boolean> {
  // Use the query `auth.me`, which the shell also uses. The shell reports its failure.
  return (await cache.auth.me.ensureData().catch(() => null)) === null
}
