import type { cache as Cache } from '../../lib/api/api.ts'
import { OVERLAP_MS } from '../../lib/live/follow.ts'

export function prefetchLeaderboard(cache: typeof Cache): void {
  // Fetch data again if it is older than this, because the live feed covers only events since then.
  void cache.leaderboard.get.prefetch(undefined, { staleTime: OVERLAP_MS })
}
