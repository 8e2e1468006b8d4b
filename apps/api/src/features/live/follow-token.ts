import { TokenNotFoundError } from '@papermoon/engine'
import { readPosition } from '../../events/journal.ts'
import { findTokenPlace } from '../../events/journal-reader.ts'
import { DEFAULT_FILTER } from '../../events/stream/event-filter.ts'
import { followFrom } from './follow-events.ts'
import { type Listener, replay } from './replay.ts'

/** Max number of events that a subscriber can catch up on. If more are missing, clients read the token again. */
const CATCH_UP_MAX = 10_000
/** Subscribers that lack more events start at a multiple of this number, so that they share pages of the journal. */
const START_STEP = 500

/** Requests a token's events after `lastSeq`. If it is null, requests only new events. */
export interface WantedToken {
  readonly tokenId: number
  readonly lastSeq: number | null
}

/**
 * Sends a token's events after `lastSeq`, in order: from the journal, then from memory, then live. Throws
 * `RateLimitedError` for too many events from the journal, and `TokenNotFoundError`.
 */
export async function followToken(listener: Listener, { tokenId, lastSeq }: WantedToken): Promise<void> {
  const {
    platform: { db },
    live: { feed },
  } = listener.app
  // A number past the end comes from another database, for example before a restore.
  const toSeq = (end: number) => Math.max(Math.min(lastSeq ?? end, end), findCatchUpStart(end))
  const place = await replay(listener, () => findTokenPlace(db, tokenId, toSeq))
  if (place === null) throw new TokenNotFoundError()
  await feed.catchUp(await readPosition(db))
  if (feed.isHidden(tokenId)) throw new TokenNotFoundError()
  await followFrom(listener, { ...DEFAULT_FILTER, tokens: [tokenId] }, place.position)
}

/** Returns the sequence number after which a subscriber starts. */
export function findCatchUpStart(lastSeq: number): number {
  return Math.floor((lastSeq - CATCH_UP_MAX - 1) / START_STEP + 1) * START_STEP
}
