import type { MarketEvent } from '../market/events.ts'
import type { BotOrder } from '../orders.ts'

/**
 * A participant of a market with a clock. Its driver calls `act` at `nextAtMs`, places the order, and passes every event of
 * the market to `observe`, including those of its own orders.
 */
export interface Actor {
  /** When to call `act` next, in Unix ms; Infinity for never. Changes with `act` and `observe`. */
  readonly nextAtMs: number
  /** The order to place at `nowMs`; null for none. */
  act(nowMs: number): BotOrder | null
  observe(event: MarketEvent): void
  /** Called if an order of this actor was refused. */
  refused?(order: BotOrder, code: string): void
}
