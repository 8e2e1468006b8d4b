import { useSyncExternalStore } from 'react'

/**
 * Number of proof-of-work puzzles that this browser is solving. The server requires a puzzle after too many attempts.
 */
let solving = 0
const listeners = new Set<() => void>()

/** Counts a running puzzle: call it with true when solving begins and with false when it ends. */
export function noteWork(isWorking: boolean): void {
  solving += isWorking ? 1 : -1
  for (const listener of listeners) listener()
}

/** Returns whether this browser is solving a puzzle for a pending request. */
export function useIsSolvingPuzzle(): boolean {
  return useSyncExternalStore(subscribe, () => solving > 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
