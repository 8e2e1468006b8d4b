import { useSyncExternalStore } from 'react'

/** What the header shows about the running fair that the visitor plays in on this page. */
export interface ShownFair {
  /** The visitor's SOL in the fair. */
  readonly balance: string
  /** The fair for a launch: the search parameters of /launch. */
  readonly launch: { readonly fair: number }
}

let shown: ShownFair | null = null
const listeners = new Set<() => void>()

export function showFair(fair: ShownFair | null): void {
  shown = fair
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useShownFair(): ShownFair | null {
  return useSyncExternalStore(subscribe, () => shown)
}
