import { type Fair, type FairList, trpc } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'
import { findNextChange, isIn } from './fair-time.ts'

/** An arena's players and states are read again this often, and a moment after each change of phase, ms. */
const EVERY_MS = 60_000
const AFTER_CHANGE_MS = 1_500

/** The fairs that a visitor may see; read again when the next one opens, starts or ends. */
export function useFairList(limit = 10) {
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

/** The fair that one place on a screen has room for: the player's own that runs, otherwise an arena to enter, otherwise the next one. */
export function chooseFair({ running, upcoming }: FairList): Fair | undefined {
  const isArena = ({ kind, isQuick }: Fair) => kind === 'arena' && !isQuick
  return (
    running.find((fair) => isIn(fair) && fair.kind !== 'season') ??
    upcoming.find((fair) => isIn(fair) && fair.state === 'lobby') ??
    running.find((fair) => isArena(fair) && fair.lateEntry) ??
    upcoming.find(isArena) ??
    running[0] ??
    upcoming[0]
  )
}
