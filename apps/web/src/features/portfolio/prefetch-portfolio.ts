import type { cache as Cache } from '../../lib/api/api.ts'
import { OVERLAP_MS } from '../../lib/live/follow.ts'

/** The live feed tells what happened since; what is older is fetched again. */
const FRESH = { staleTime: OVERLAP_MS }

/** Starts the calls of the portfolio before its code is there. */
export async function prefetchPortfolio(cache: typeof Cache): Promise<void> {
  if (await isGuest(cache)) return
  await Promise.all([
    cache.portfolio.summary.prefetch(undefined, FRESH),
    cache.portfolio.get.prefetch({}, FRESH),
    ...prefetchWorth(cache),
  ])
}

/** Starts the call of the dashboard before its code is there. */
export async function prefetchDashboard(cache: typeof Cache): Promise<void> {
  if (await isGuest(cache)) return
  await Promise.all([cache.portfolio.dashboard.prefetch(undefined, FRESH), ...prefetchWorth(cache)])
}

function prefetchWorth(cache: typeof Cache): Promise<void>[] {
  return [
    cache.portfolio.netWorth.prefetch(undefined, FRESH),
    cache.portfolio.history.prefetch({ timeframe: 'ALL' }, FRESH),
  ]
}

async function isGuest(cache: typeof Cache): Promise<boolean> {
  // Who is here is asked once for the whole shell, which also says so when nobody answers.
  return (await cache.auth.me.ensureData().catch(() => null)) === null
}
