import { type cache as Cache, type Fair, type FairList, trpc } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'
import { findNextChange, hasJoined } from './fair-time.ts'

/**
 * Time between two reads of the list of fairs, in ms. The interval is short, because others can enter a quick arena for
 * only a minute. The list is also read shortly after a fair changes its phase.
 */
const EVERY_MS = 15_000
const AFTER_CHANGE_MS = 1_500

/** Number of fairs of each kind that a page loads. */
const LIMIT = 10

/** Starts the request whose response `useFairList` uses. */
export function prefetchFairList(cache: typeof Cache): Promise<void> {
  return cache.fairs.list.prefetch({ limit: LIMIT })
}

/** Returns the fairs that a visitor can see. Fetches the fairs again when one of them opens, starts or ends. */
export function useFairList(limit = LIMIT) {
  return trpc.fairs.list.useQuery(
    { limit },
    { staleTime: 5_000, refetchInterval: ({ state }) => waitFor(state.data, serverNow()) },
  )
}

function waitFor(list: FairList | undefined, nowMs: number): number {
  if (list === undefined) return EVERY_MS
  const next = findNextChange([...list.upcoming, ...list.running], nowMs)
  return next === null ? EVERY_MS : Math.min(EVERY_MS, next - nowMs + AFTER_CHANGE_MS)
}

/**
 * Returns one fair for a small space: the player's running fair, or else an arena that players can enter, or else the
 * next arena.
 */
export function chooseFair({ running, upcoming }: FairList): Fair | undefined {
  const isArena = ({ kind, isQuick }: Fair) => kind === 'arena' && !isQuick
  return (
    running.find((fair) => hasJoined(fair) && fair.kind !== 'season') ??
    upcoming.find((fair) => hasJoined(fair) && fair.state === 'lobby') ??
    running.find((fair) => isArena(fair) && fair.lateEntry) ??
    upcoming.find(isArena) ??
    running[0] ??
    upcoming[0]
  )
}
