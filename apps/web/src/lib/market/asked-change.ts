import { createStore } from '../ui/stored.ts'

/** A waiting order that the player wants to change, and that the token's trade panel opens. */
export interface AskedChange {
  readonly orderId: number
  /** The price in SOL to which the player dragged one of the order's lines. */
  readonly moved?: { readonly trigger: 'below' | 'above'; readonly price: string }
}

/** Asks the trade panel to open an order for changes. Pass null after the order was opened. */
export const { set: askToChange, use: useAskedChange } = createStore<AskedChange | null>(null)
