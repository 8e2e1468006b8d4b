import type { cache as Cache } from '../../lib/api/api.ts'
import { OVERLAP_MS } from '../../lib/live/follow.ts'

export function prefetchLeaderboard(cache: typeof Cache): void {
  // The live feed covers events since then, so refetch anything older.
  void cache.leaderboard.get.prefetch(undefined, { staleTime: OVERLAP_MS })
}
