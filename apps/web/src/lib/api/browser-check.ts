import { useSyncExternalStore } from 'react'

/** Puzzles being solved: the server asks for work where somebody tries too often. */
let solving = 0
const listeners = new Set<() => void>()

/** Notes that a puzzle is being solved, or that one is solved. */
export function noteWork(isWorking: boolean): void {
  solving += isWorking ? 1 : -1
  for (const listener of listeners) listener()
}

/** Whether this browser solves a puzzle before a call goes on. */
export function useIsChecked(): boolean {
  return useSyncExternalStore(subscribe, () => solving > 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
