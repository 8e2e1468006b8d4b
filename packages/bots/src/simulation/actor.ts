import type { MarketEvent } from '../market/events.ts'
import type { BotOrder } from '../orders.ts'

/**
 * A participant in a market with a clock. A driver calls `act` at `nextAtMs`, places the returned order, and passes
 * every market event to `observe`, including events of the actor's own orders.
 */
export interface Actor {
  /** When to call `act` next, in Unix ms, or Infinity for never. Both `act` and `observe` can change this time. */
  readonly nextAtMs: number
  /** Returns the order to place at `nowMs`, or null for none. */
  act(nowMs: number): BotOrder | null
  observe(event: MarketEvent): void
  /** Notifies the actor that the venue rejected one of its orders. */
  refused?(order: BotOrder, code: string): void
}
