import { createStore } from '../ui/stored.ts'

/**
 * Number of proof-of-work puzzles that this browser is solving now. The server requires a puzzle to be solved after too
 * many attempts.
 */
const solving = createStore(0)

/**
 * Counts the puzzles that are being solved. Call this function with true when solving begins, and with false when
 * solving ends.
 */
export function noteWork(isWorking: boolean): void {
  solving.set(solving.get() + (isWorking ? 1 : -1))
}

/** Returns whether this browser is solving a puzzle for a pending request. */
export function useIsSolvingPuzzle(): boolean {
  return solving.use() > 0
}
