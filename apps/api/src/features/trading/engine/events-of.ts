import type { MarketEvent } from '../../../events/event.ts'
import type { BatchChanges, JournalEntry } from './batch-changes.ts'

/** What a committed batch tells the world, in the order it happened. */
export function eventsOf(changes: BatchChanges): MarketEvent[] {
  return changes.journal.map(eventOf)
}

function eventOf(entry: JournalEntry): MarketEvent {
  if (entry.kind === 'rug') return entry.rug
  if (entry.kind === 'trade') return entry.effect.event
  const { tokenId, order, creator, atMs } = entry
  const { name, symbol, emoji } = order.token
  const createdAt = new Date(atMs).toISOString()
  return { type: 'token_launched', tokenId, seq: 0, name, symbol, emoji, creator, createdAt }
}
