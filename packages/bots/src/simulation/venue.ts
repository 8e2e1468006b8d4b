import type { MarketEvent } from '../market/events.ts'
import type { BotOrder } from '../orders.ts'

/** Where orders are placed: the fast venue in floats, or an exact one on the trading engine. */
export interface Venue {
  /** Places or refuses an order at once. `atMs` never decreases. */
  place(order: BotOrder, atMs: number): Outcome
}

/** Events in the order of commits. A launch with an initial buy gives two. */
export type Outcome =
  | { readonly isDone: true; readonly events: readonly MarketEvent[] }
  /** `code` is stable, such as SLIPPAGE_EXCEEDED. */
  | { readonly isDone: false; readonly code: string }
