import type { MarketEvent } from '../market-events.ts'
import { timeText } from '../sql/time-text.ts'
import type { BatchChanges, JournalEntry } from './changes.ts'

/** What a committed batch tells the world, in the order it happened. */
export function eventsOf(changes: BatchChanges): MarketEvent[] {
  return changes.journal.map(eventOf)
}

function eventOf(entry: JournalEntry): MarketEvent {
  if (entry.kind === 'rug') return entry.rug
  if (entry.kind === 'trade') return entry.event
  const { tokenId, order, creator, atMs } = entry
  const { name, symbol, emoji } = order.token
  const createdAt = timeText(atMs)
  return { type: 'token_launched', tokenId, seq: 0, name, symbol, emoji, creator, createdAt }
}
