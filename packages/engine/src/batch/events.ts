import type { MarketEvent } from '@papermoon/contract/market-events'
import { formatTime } from '../sql/time-text.ts'
import type { BatchChanges, JournalEntry } from './changes.ts'

/** Returns the events that a committed batch publishes, in order. */
export function toMarketEvents(changes: BatchChanges): MarketEvent[] {
  return changes.journal.map(toMarketEvent)
}

function toMarketEvent(entry: JournalEntry): MarketEvent {
  if (entry.kind === 'rug') return entry.rug
  if (entry.kind === 'trade' || entry.kind === 'seal') return entry.event
  const { tokenId, order, creator, atMs } = entry
  const { name, symbol, emoji } = order.token
  const createdAt = formatTime(atMs)
  return { type: 'token_launched', tokenId, seq: 0, name, symbol, emoji, creator, createdAt }
}
