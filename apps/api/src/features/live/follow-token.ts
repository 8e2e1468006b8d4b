import { TokenNotFoundError } from '@papermoon/engine'
import { readPosition } from '../../events/journal.ts'
import { findTokenPlace } from '../../events/journal-reader.ts'
import { DEFAULT_FILTER } from '../../events/stream/event-filter.ts'
import { followFrom } from './follow-events.ts'
import { type Listener, replay } from './replay.ts'

/** Maximum number of events to catch up on. Further back, the jump in `seq` tells the client to refetch the token. */
const CATCH_UP_MAX = 10_000
/** Subscribers who are further behind begin at a multiple of this, so that all of them share pages of the journal. */
const START_STEP = 500

/** A token's events after `lastSeq`; from now on where it is null. */
export interface WantedToken {
  readonly tokenId: number
  readonly lastSeq: number | null
}

/**
 * Sends a token's events after `lastSeq`, in order: from the journal, then the latest from memory, then live. Throws
 * `RateLimitedError` for too many events from the journal, and `TokenNotFoundError`.
 */
export async function followToken(listener: Listener, { tokenId, lastSeq }: WantedToken): Promise<void> {
  const {
    platform: { db },
    live: { feed },
  } = listener.app
  // A number beyond the end comes from another database (a restore); it must not hide new events.
  const toSeq = (end: number) => Math.max(Math.min(lastSeq ?? end, end), findCatchUpStart(end))
  const place = await replay(listener, () => findTokenPlace(db, tokenId, toSeq))
  if (place === null) throw new TokenNotFoundError()
  await feed.catchUp(await readPosition(db))
  if (feed.isHidden(tokenId)) throw new TokenNotFoundError()
  await followFrom(listener, { ...DEFAULT_FILTER, tokens: [tokenId] }, place.position)
}

/** After which number those begin who are further behind. */
export function findCatchUpStart(lastSeq: number): number {
  return Math.floor((lastSeq - CATCH_UP_MAX - 1) / START_STEP + 1) * START_STEP
}
