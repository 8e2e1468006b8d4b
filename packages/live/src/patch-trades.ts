import type { MarketEvent } from './events.ts'
import type { Trade } from './readings.ts'

/** As many as a reading holds. */
const TRADES_MAX = 50

/** A token's latest trades, newest first, after an event. */
export function patchTrades(trades: readonly Trade[], event: MarketEvent): Trade[] {
  const known = trades[0]?.seq ?? 0
  if (event.type !== 'trade' || event.seq <= known) return trades as Trade[]
  return [event.trade, ...trades].slice(0, TRADES_MAX)
}
