import type { MarketEvent } from '../../../events/event.ts'
import { eventOfTrade } from '../../../events/event-of-trade.ts'
import type { BatchChanges, LaunchEntry, TradeEntry } from './apply.ts'

/** What a committed batch tells the world, in the order it happened. */
export function eventsOf(changes: BatchChanges): MarketEvent[] {
  return changes.journal.map((line) => (line.kind === 'trade' ? tradeEvent(line.entry) : launchEvent(line.entry)))
}

function tradeEvent({ effect: { trade, pool, position } }: TradeEntry): MarketEvent {
  const { sol: solReserve, tokens: tokenReserve } = pool.pool
  return eventOfTrade(trade, { solReserve, tokenReserve, holding: position.amount })
}

function launchEvent({ tokenId, order, creator, atMs }: LaunchEntry): MarketEvent {
  const { name, symbol, emoji } = order.token
  const createdAt = new Date(atMs).toISOString()
  return { type: 'token_launched', tokenId, seq: 0, name, symbol, emoji, creator, createdAt }
}
