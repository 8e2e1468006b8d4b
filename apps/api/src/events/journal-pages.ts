import type { Database } from '@papermoon/db'
import type { Clock, MarketEvent } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { JOURNAL_PAGE, readTokenEvents } from './journal.ts'
import type { LiveFeed } from './live-feed.ts'

/** A few tokens' recent past, or the longest catch-up of one: some 20 MB. */
const EVENTS_MAX = 12_000
/** What no event tells of, such as a database that was restored, shows after this long. */
const AGE_MAX_MS = 30_000

/** Which events of a token: those after one sequence number, up to another that the journal is known to hold. */
export interface EventRange {
  readonly tokenId: number
  readonly after: number
  readonly through: number
}

/** The events of a token with a seq in (n × JOURNAL_PAGE, (n + 1) × JOURNAL_PAGE], as far as they were read. */
interface Page {
  readonly events: readonly MarketEvent[]
  /** Complete up to this seq. */
  readonly through: number
}

interface JournalPagesParts {
  readonly db: Kysely<Database>
  readonly feed: Pick<LiveFeed, 'visibility'>
  readonly clock: Clock
}

/**
 * The journal in pages that all resuming readers share. Decoding a row costs a hundred times as much as sending it, so each
 * is read once: a page that grows is read on from its end. An event tells its trader's holding as of its reading; a later
 * trade corrects it with a later event.
 */
export class JournalPages {
  readonly #db: Kysely<Database>
  readonly #feed: Pick<LiveFeed, 'visibility'>
  readonly #pages: LRUCache<string, Page>
  #underWay = new Map<string, Promise<Page>>()
  #visibility: number

  constructor({ db, feed, clock }: JournalPagesParts) {
    this.#pages = new LRUCache({
      maxSize: EVENTS_MAX,
      sizeCalculation: ({ events }) => 1 + events.length,
      ttl: AGE_MAX_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
      // Else a page that grows would never expire.
      noUpdateTTL: true,
    })
    this.#db = db
    this.#feed = feed
    this.#visibility = feed.visibility
  }

  /** The events of a range in order, up to the end of the page that its first is in; not empty unless the journal has a gap. */
  async read({ tokenId, after, through }: EventRange): Promise<MarketEvent[]> {
    this.#clearIfHidden()
    const end = Math.min(through, getPageEnd(after))
    const key = `${tokenId} ${getPageEnd(after)}`
    let page = this.#pages.get(key)
    while (page === undefined || page.through < end) {
      page = await (this.#underWay.get(key) ?? this.#extend(key, { tokenId, after, through: end }))
    }
    return page.events.filter(({ seq }) => seq > after && seq <= end)
  }

  /** For a change that no event tells of. */
  clear(): void {
    this.#pages.clear()
    this.#underWay = new Map()
  }

  #clearIfHidden(): void {
    if (this.#feed.visibility === this.#visibility) return
    this.#visibility = this.#feed.visibility
    this.clear()
  }

  #extend(key: string, range: EventRange): Promise<Page> {
    const readers = this.#underWay
    const reading = this.#readOn(this.#pages.get(key), range)
      .then((page) => {
        // Not after a clear: what was read before it must not come back.
        if (this.#underWay === readers) this.#pages.set(key, page)
        return page
      })
      .finally(() => readers.delete(key))
    readers.set(key, reading)
    return reading
  }

  async #readOn(known: Page | undefined, { tokenId, after, through }: EventRange): Promise<Page> {
    const end = getPageEnd(after)
    const from = known?.through ?? end - JOURNAL_PAGE
    const events = [
      ...(known?.events ?? []),
      ...(await readTokenEvents(this.#db, { tokenId, after: from, through: end })),
    ]
    return { events, through: Math.max(through, events.at(-1)?.seq ?? 0) }
  }
}

/** The last seq of the page that holds what comes after `seq`. */
export function getPageEnd(seq: number): number {
  return (Math.floor(seq / JOURNAL_PAGE) + 1) * JOURNAL_PAGE
}
