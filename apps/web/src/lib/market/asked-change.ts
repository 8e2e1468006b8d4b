import { useSyncExternalStore } from 'react'

/** A waiting order that the player wants to change: its token's trade panel opens it. */
export interface AskedChange {
  readonly orderId: number
  /** The price that one of its lines was dragged to, in SOL. */
  readonly moved?: { readonly trigger: 'below' | 'above'; readonly price: string }
}

let asked: AskedChange | null = null
const listeners = new Set<() => void>()

/** Null once it is opened. */
export function askToChange(next: AskedChange | null): void {
  asked = next
  for (const listener of listeners) listener()
}

export function useAskedChange(): AskedChange | null {
  return useSyncExternalStore(subscribe, () => asked)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
