import type { MarketEvent, Trade } from '@papermoon/contract/market-events'

/** Max number of trades, which is also the API's limit. */
const TRADES_MAX = 50

/** Returns a token's latest trades after an event, newest first. */
export function patchTrades(trades: readonly Trade[], event: MarketEvent): Trade[] {
  const known = trades[0]?.seq ?? 0
  if (event.type !== 'trade' || event.seq <= known) return trades as Trade[]
  return [event.trade, ...trades].slice(0, TRADES_MAX)
}
