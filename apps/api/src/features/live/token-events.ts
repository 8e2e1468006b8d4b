import type { MarketEvent } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { EventBuffer } from '../../events/event-buffer.ts'
import { readSeq } from '../../events/journal.ts'
import { type EventRange, getPageEnd } from '../../events/journal-pages.ts'
import type { LiveReader } from './live-reader.ts'
import { replay, replayPage } from './replay.ts'

/** Most events held for one reader between two reads. */
const BUFFER_MAX = 500

/** Maximum number of events to catch up on. Further back, the jump in `seq` tells the client to refetch the token. */
const CATCH_UP_MAX = 10_000

/** A token's events after `lastSeq`; from now on where it is null. */
export interface TokenEventsInput {
  readonly tokenId: number
  readonly lastSeq: number | null
}

/**
 * A token's events after `lastSeq`, each once and in order, in non-empty groups: first from the journal, then live. It
 * listens before it reads the journal, so no event falls between. A subscriber that is too slow for its buffer goes
 * back to the journal: nothing is lost, and memory is bounded. Throws `RateLimitedError` for too many events from the
 * journal, and `TokenNotFoundError`, also later, for a hidden token.
 */
export async function* tokenEvents(reader: LiveReader, input: TokenEventsInput): AsyncGenerator<MarketEvent[]> {
  const { app, signal } = reader
  const buffer = new EventBuffer({ sizeMax: BUFFER_MAX, signal, wakes: app.wakeQueue })
  const detach = app.feed.onTokenEvent(input.tokenId, buffer.push)
  try {
    let lastSeq = await findLastSeq(reader, input.tokenId)
    // A cursor beyond the end comes from another database (a restore); it must not hide new events.
    let sentSeq = Math.max(Math.min(input.lastSeq ?? lastSeq, lastSeq), findCatchUpStart(lastSeq))
    let behind = sentSeq < lastSeq
    while (!signal?.aborted) {
      if (behind) {
        for await (const page of journalAfter(reader, { tokenId: input.tokenId, after: sentSeq, through: lastSeq })) {
          sentSeq = page.at(-1)?.seq ?? sentSeq
          yield page
        }
      }
      const { events, overflowed } = await buffer.take()
      if (app.feed.isHidden(input.tokenId)) throw new TokenNotFoundError()
      const fresh = events.filter(({ seq }) => seq > sentSeq)
      sentSeq = fresh.at(-1)?.seq ?? sentSeq
      if (fresh.length > 0) yield fresh
      behind = overflowed
      if (behind) lastSeq = await findLastSeq(reader, input.tokenId)
    }
  } finally {
    detach()
  }
}

/** After which number those begin who are further behind: where a page begins, so that all of them share its bytes. */
export function findCatchUpStart(lastSeq: number): number {
  return getPageEnd(lastSeq - CATCH_UP_MAX - 1)
}

/** The token's last sequence number. Throws `TokenNotFoundError`. */
async function findLastSeq(reader: LiveReader, tokenId: number): Promise<number> {
  const lastSeq = await replay(reader, () => readSeq(reader.app.db, tokenId))
  if (lastSeq === null) throw new TokenNotFoundError()
  return lastSeq
}

/** Counts each page before it is read, so a refusal costs nothing. */
async function* journalAfter(reader: LiveReader, range: EventRange): AsyncGenerator<MarketEvent[]> {
  const { tokenId, through } = range
  let { after } = range
  while (after < through) {
    const to = Math.min(getPageEnd(after), through)
    await reader.spendEvents(to - after)
    const page = await replayPage(reader, () => reader.app.journalPages.read({ tokenId, after, through: to }))
    after = to
    if (page.length > 0) yield page
  }
}
