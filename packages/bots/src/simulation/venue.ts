import type { MarketEvent } from '../market/events.ts'
import type { BotOrder } from '../orders.ts'

/** A market that executes orders: the fast venue with floats, or an exact venue with the trading engine. */
export interface Venue {
  /** Executes or rejects an order at once. `atMs` never decreases between calls. */
  place(order: BotOrder, atMs: number): Outcome
}

/** An order's events, in the order of commits. A launch with a first buy has two events. */
export type Outcome =
  | { readonly isDone: true; readonly events: readonly MarketEvent[] }
  /** `code` is a stable error code, such as SLIPPAGE_EXCEEDED. */
  | { readonly isDone: false; readonly code: string }
