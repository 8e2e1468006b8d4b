import { useSyncExternalStore } from 'react'

/** A waiting order that the player wants to change. The token's trade panel opens the order. */
export interface AskedChange {
  readonly orderId: number
  /** The price in SOL to which the player dragged one of the order's lines. */
  readonly moved?: { readonly trigger: 'below' | 'above'; readonly price: string }
}

let asked: AskedChange | null = null
const listeners = new Set<() => void>()

/** Asks the trade panel to open an order for changes. Pass null once the order is open. */
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
