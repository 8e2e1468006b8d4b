import { TokenNotFoundError } from '@papermoon/engine'
import { readSeq } from '../../events/journal.ts'
import { getPageEnd } from '../../events/journal-pages.ts'
import { DEFAULT_FILTER } from '../../events/stream/event-filter.ts'
import { createEventCounter, type Listener, replay } from './replay.ts'

/** Maximum number of events to catch up on. Further back, the jump in `seq` tells the client to refetch the token. */
const CATCH_UP_MAX = 10_000

/** A token's events after `lastSeq`; from now on where it is null. */
export interface WantedToken {
  readonly tokenId: number
  readonly lastSeq: number | null
}

/**
 * Sends a token's events after `lastSeq`, each once and in order: from the journal, then the latest from memory, then live.
 * Throws `RateLimitedError` for too many events from the journal, and `TokenNotFoundError`.
 */
export async function followToken(listener: Listener, { tokenId, lastSeq }: WantedToken): Promise<void> {
  const { app, outlet } = listener
  const { feed, stream } = app.live
  const filter = { ...DEFAULT_FILTER, tokens: [tokenId] }
  const count = createEventCounter(listener)
  let end = await catchUpNode(listener, tokenId)
  // A cursor beyond the end comes from another database (a restore); it must not hide new events.
  let sent = Math.max(Math.min(lastSeq ?? end, end), findCatchUpStart(end))
  while (!outlet.signal.aborted) {
    if (feed.isHidden(tokenId)) throw new TokenNotFoundError()
    const kept = sent < end ? null : stream.readKeptOfToken(tokenId, sent)
    if (kept !== null) {
      stream.sendTo(outlet, filter, { events: kept, cursor: '' })
      // No event falls between: nothing is awaited since the kept ones were read.
      return outlet.goLive(stream.subscribe(filter, outlet))
    }
    end = Math.max(end, feed.getSeq(tokenId))
    const through = Math.min(getPageEnd(sent), end)
    // Counted before it is read, so a refusal costs nothing.
    await count(through - sent)
    const after = sent
    const events = await replay(
      listener,
      () => app.live.journalPages.read({ tokenId, after, through }),
      (page) => page.length,
    )
    sent = through
    stream.sendTo(outlet, filter, { events, cursor: '' })
    app.live.streamMetrics.replayed.inc(events.length)
    await outlet.drained()
  }
}

/** After which number those begin who are further behind: where a page begins, so that all of them share its bytes. */
export function findCatchUpStart(lastSeq: number): number {
  return getPageEnd(lastSeq - CATCH_UP_MAX - 1)
}

/** Brings this node up to the journal's end. Returns the token's last sequence number. Throws `TokenNotFoundError`. */
async function catchUpNode(listener: Listener, tokenId: number): Promise<number> {
  const {
    platform: { db },
    live: { feed },
  } = listener.app
  const seq = await replay(listener, () => readSeq(db, tokenId))
  if (seq === null) throw new TokenNotFoundError()
  await feed.catchUp(tokenId, seq)
  return Math.min(seq, feed.getSeq(tokenId))
}
