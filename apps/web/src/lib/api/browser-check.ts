import { useSyncExternalStore } from 'react'

/** Number of proof-of-work puzzles being solved; the server asks for one after too many attempts. */
let solving = 0
const listeners = new Set<() => void>()

/** Call with true when solving a puzzle begins, with false when it ends. */
export function noteWork(isWorking: boolean): void {
  solving += isWorking ? 1 : -1
  for (const listener of listeners) listener()
}

/** True while this browser solves a puzzle on behalf of a pending call. */
export function useIsSolvingPuzzle(): boolean {
  return useSyncExternalStore(subscribe, () => solving > 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
