import type { MarketEvent } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { Inbox } from '../../events/inbox.ts'
import { JOURNAL_PAGE, readSeq, readTokenEvents } from '../../events/journal.ts'
import type { LiveReader } from './live-reader.ts'
import { replay } from './replay.ts'

/** Most events held for one reader between two reads. */
const INBOX_MAX = 500

/** How far back a reader may catch up; further back, the jump in `seq` tells it to read the token anew. */
const CATCH_UP_MAX = 10_000

/** Which events: those of a token after `lastSeq`, or from now on when it is null. */
export interface TokenEventsInput {
  readonly tokenId: number
  readonly lastSeq: number | null
}

/**
 * A token's events after `lastSeq`, each once and in order: attached first, then what the journal has, then
 * as they happen; in the groups they come in, none of them empty. A reader too slow for its inbox goes back to the journal: nothing is lost, memory is bounded.
 * Throws `RateLimitedError` where it caught up too often, and `TokenNotFoundError`, also in the midst of it, when an operator has hidden the token.
 */
export async function* tokenEvents(reader: LiveReader, input: TokenEventsInput): AsyncGenerator<MarketEvent[]> {
  const { app, signal } = reader
  const inbox = new Inbox(INBOX_MAX, signal)
  const detach = app.feed.onTokenEvent(input.tokenId, inbox.push)
  try {
    const head = await replay(() => readSeq(app.db, input.tokenId))
    if (head === null) throw new TokenNotFoundError()
    // A cursor beyond the end comes from another database (a restore): it must not mute what happens now.
    let last = Math.max(Math.min(input.lastSeq ?? head, head), head - CATCH_UP_MAX)
    let behind = last < head
    while (!signal?.aborted) {
      if (behind) {
        for await (const page of journalAfter(reader, input.tokenId, last)) {
          last = page.at(-1)?.seq ?? last
          yield page
        }
      }
      const { events, overflowed } = await inbox.take()
      if (app.feed.isHidden(input.tokenId)) throw new TokenNotFoundError()
      const fresh = events.filter(({ seq }) => seq > last)
      last = fresh.at(-1)?.seq ?? last
      if (fresh.length > 0) yield fresh
      behind = overflowed
    }
  } finally {
    detach()
  }
}

async function* journalAfter(reader: LiveReader, tokenId: number, lastSeq: number): AsyncGenerator<MarketEvent[]> {
  let after = lastSeq
  let isLast = false
  while (!isLast) {
    const from = after
    const page = await replay(() => readTokenEvents(reader.app.db, tokenId, from))
    await reader.spendEvents(page.length)
    after = page.at(-1)?.seq ?? after
    isLast = page.length < JOURNAL_PAGE
    if (page.length > 0) yield page
  }
}
