import type { MarketEvent } from '../market/events.ts'
import type { BotOrder } from '../orders.ts'

/** Where orders are carried out: the fast one in floats, or an exact one over the trading engine. */
export interface Venue {
  /** Carries out or refuses an order at once. `atMs` never decreases. */
  place(order: BotOrder, atMs: number): Outcome
}

/** Events in the order of their commit: a launch with an initial buy gives two. */
export type Outcome =
  | { readonly isDone: true; readonly events: readonly MarketEvent[] }
  /** `code` is stable, such as SLIPPAGE_EXCEEDED. */
  | { readonly isDone: false; readonly code: string }
