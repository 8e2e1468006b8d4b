import type { MarketEvent } from '@papermoon/contract/market-events'
import { formatTime } from '../sql/time-text.ts'
import { toFillKey } from '../waiting/waiting-order.ts'
import type { BatchChanges, JournalEntry, PublishedWaiting } from './changes.ts'

/** A market event and its position in the journal. */
export interface PlacedMarketEvent {
  readonly place: number
  readonly event: MarketEvent
}

/** The result of a committed batch, whose entries have the positions after `after` up to `through`. */
export interface PublishedBatch {
  readonly after: number
  readonly through: number
  /** Events in the order of their positions. */
  readonly events: readonly PlacedMarketEvent[]
  readonly waiting: readonly PublishedWaiting[]
}

/** Returns the result of a committed batch; null if the batch has no positions. */
export function toPublished(changes: BatchChanges): PublishedBatch | null {
  const { after, positions } = changes
  if (after === null || positions === 0) return null
  const events = changes.journal.map((entry) => ({
    place: entry.kind === 'trade' ? entry.event.trade.id : entry.position,
    event: toMarketEvent(entry),
  }))
  return { after, through: after + positions, events, waiting: withFills(changes) }
}

function withFills(changes: BatchChanges): PublishedWaiting[] {
  if (changes.waiting.size === 0) return []
  const trades = new Map(changes.entries('trade').map(({ requestKey, event }) => [requestKey, event.trade]))
  return [...changes.waiting.values()].map((change) => {
    const { id, fills } = change.order
    return { ...change, fill: trades.get(toFillKey({ id, fills: fills - 1 })) ?? null }
  })
}

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
