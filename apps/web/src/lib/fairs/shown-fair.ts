import { useSyncExternalStore } from 'react'

/** The running fair that the header shows on this page. */
export interface ShownFair {
  /** The visitor's SOL in this fair. */
  readonly balance: string
  /** The fair in which /launch launches a token, as search parameters. */
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
