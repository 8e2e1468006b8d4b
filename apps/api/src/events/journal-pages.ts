import type { Db } from '@papermoon/db'
import type { Clock, MarketEvent } from '@papermoon/engine'
import { LRUCache } from 'lru-cache'
import { JOURNAL_PAGE, readTokenEvents } from './journal.ts'
import type { LiveFeed } from './live-feed.ts'

/** Enough for the recent past of a few tokens or the longest catch-up of one: about 20 MB. */
const EVENTS_MAX = 12_000
/** Changes that someone makes in the database by hand show after this time. To read a long journal again is expensive. */
const AGE_MAX_MS = 300_000

/** A token's events with a sequence number in (after, through]; the journal holds `through` already. */
export interface EventRange {
  readonly tokenId: number
  readonly after: number
  readonly through: number
}

/** A token's events with a sequence number in (n × JOURNAL_PAGE, (n + 1) × JOURNAL_PAGE], as far as read. */
interface Page {
  readonly events: readonly MarketEvent[]
  /** Complete up to this sequence number. */
  readonly through: number
}

interface JournalPagesParts {
  readonly db: Db
  readonly feed: Pick<LiveFeed, 'visibility'>
  readonly clock: Clock
}

/**
 * Caches the journal in pages for all resuming subscribers. Decoding a row costs a hundred times as much as sending it, so
 * each row is read once, and a growing page is extended. An event holds the trader's holding as of its read; each later
 * trade brings a later event with a newer one.
 */
export class JournalPages {
  readonly #db: Db
  readonly #feed: Pick<LiveFeed, 'visibility'>
  readonly #pages: LRUCache<string, Page>
  #pending = new Map<string, Promise<Page>>()
  #visibility: number

  constructor({ db, feed, clock }: JournalPagesParts) {
    this.#pages = new LRUCache({
      maxSize: EVENTS_MAX,
      sizeCalculation: ({ events }) => 1 + events.length,
      ttl: AGE_MAX_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
      // Otherwise a growing page would never expire.
      noUpdateTTL: true,
    })
    this.#db = db
    this.#feed = feed
    this.#visibility = feed.visibility
  }

  /** Events of a range in order, up to the end of the first event's page; empty only if the journal has a gap. */
  async read({ tokenId, after, through }: EventRange): Promise<MarketEvent[]> {
    this.#clearIfVisibilityChanged()
    const end = Math.min(through, getPageEnd(after))
    const key = `${tokenId} ${getPageEnd(after)}`
    let page = this.#pages.get(key)
    while (page === undefined || page.through < end) {
      page = await (this.#pending.get(key) ?? this.#extend(key, { tokenId, after, through: end }))
    }
    return page.events.filter(({ seq }) => seq > after && seq <= end)
  }

  /** For a change without an event. */
  clear(): void {
    this.#pages.clear()
    this.#pending = new Map()
  }

  #clearIfVisibilityChanged(): void {
    if (this.#feed.visibility === this.#visibility) return
    this.#visibility = this.#feed.visibility
    this.clear()
  }

  #extend(key: string, range: EventRange): Promise<Page> {
    const pending = this.#pending
    const read = this.#readPage(this.#pages.get(key), range)
      .then((page) => {
        // After a clear, a page read before it must not be stored.
        if (this.#pending === pending) this.#pages.set(key, page)
        return page
      })
      .finally(() => pending.delete(key))
    pending.set(key, read)
    return read
  }

  async #readPage(known: Page | undefined, { tokenId, after, through }: EventRange): Promise<Page> {
    const end = getPageEnd(after)
    const from = known?.through ?? end - JOURNAL_PAGE
    const events = [
      ...(known?.events ?? []),
      ...(await readTokenEvents(this.#db, { tokenId, after: from, through: end })),
    ]
    return { events, through: Math.max(through, events.at(-1)?.seq ?? 0) }
  }
}

/** The last sequence number of the page that holds the event after `seq`. */
export function getPageEnd(seq: number): number {
  return (Math.floor(seq / JOURNAL_PAGE) + 1) * JOURNAL_PAGE
}
