import { useSyncExternalStore } from 'react'

/** A waiting order that the player wants to change. The token's trade panel opens it. */
export interface AskedChange {
  readonly orderId: number
  /** The price to which the player dragged one of the order's lines, in SOL. */
  readonly moved?: { readonly trigger: 'below' | 'above'; readonly price: string }
}

let asked: AskedChange | null = null
const listeners = new Set<() => void>()

/** Requests that the panel open an order for changes. Pass null once it is open. */
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
