import type { Db } from '@papermoon/db'
import { LRUCache } from 'lru-cache'
import { getTime, type PageRange, type PlacedEvent, readLaunches, readTrades, type StreamEvent } from '../journal.ts'
import type { LiveFeed } from '../live-feed.ts'
import type { JournalPosition } from './event-cursors.ts'
import { type EventFilter, toFilterKey, tokenOf } from './event-filter.ts'
import { pastReaders, readPastTokenTrades, readSeqsAt } from './past-rows.ts'

/** Max rows of each kind in a page. */
const PAST_PAGE = 500
/** Places that a page of some fairs looks through: theirs may be few among those of all fairs. */
const LOOKED_THROUGH_MAX = 20_000
/** About 20 MB. */
const EVENTS_MAX = 12_000
/** Changes without an event, such as a deleted player, show after this time. */
const AGE_MAX_MS = 30_000

/** Some events in order, and the place after them. */
export interface PastPage {
  readonly events: readonly StreamEvent[]
  readonly next: JournalPosition
}

/** Reads pages of the journal between two settled places, one after another. */
export interface PastReader {
  /** The events after `position`, at most up to `end`; hidden tokens' included. Each page leads further, and the last to `end`. */
  read(position: JournalPosition, end: JournalPosition): Promise<PastPage>
}

interface PastParts {
  readonly db: Db
  readonly feed: Pick<LiveFeed, 'visibility'>
}

/**
 * The journal of the whole market in pages. What is settled never changes, so listeners that resume at about the same place
 * share pages.
 */
export class PastEvents {
  readonly #db: Db
  readonly #feed: Pick<LiveFeed, 'visibility'>
  readonly #pages = new LRUCache<string, PastPage>({
    maxSize: EVENTS_MAX,
    sizeCalculation: ({ events }) => 1 + events.length,
    ttl: AGE_MAX_MS,
  })
  readonly #pending = new Map<string, Promise<PastPage>>()
  #visibility: number

  constructor({ db, feed }: PastParts) {
    this.#db = db
    this.#feed = feed
    this.#visibility = feed.visibility
  }

  open(filter: EventFilter): PastReader {
    const db = this.#db
    if (filter.tokens !== null) return new TokensReader(db, { ...filter, tokens: filter.tokens })
    const key = toFilterKey(filter)
    const read: PastReader['read'] = (position, end) =>
      readPage({ db, position, end, filter, trades: (range) => readTrades(db, range) })
    // Words that were deleted or hidden are in no page from then on.
    if (filter.kinds.has('post') || filter.kinds.has('order')) return { read }
    return {
      read: (position, end) => this.#share(`${key} ${position.entry} ${position.tokenId}`, () => read(position, end)),
    }
  }

  async #share(key: string, read: () => Promise<PastPage>): Promise<PastPage> {
    const visibility = this.#feed.visibility
    if (visibility !== this.#visibility) this.#pages.clear()
    this.#visibility = visibility
    const pending = this.#pages.get(key) ?? this.#pending.get(key)
    if (pending !== undefined) return await pending
    const reading = read().finally(() => this.#pending.delete(key))
    this.#pending.set(key, reading)
    const page = await reading
    if (this.#feed.visibility === visibility) this.#pages.set(key, page)
    return page
  }
}

/** The journal of a few tokens. A token's trades are found by its own sequence numbers, however many others have traded. */
class TokensReader implements PastReader {
  readonly #db: Db
  readonly #filter: EventFilter & { readonly tokens: readonly number[] }
  /** The last sequence number of each token that was read. */
  #seqs: Map<number, number> | null = null

  constructor(db: Db, filter: EventFilter & { readonly tokens: readonly number[] }) {
    this.#db = db
    this.#filter = filter
  }

  async read(position: JournalPosition, end: JournalPosition): Promise<PastPage> {
    this.#seqs ??= await readSeqsAt(this.#db, this.#filter.tokens, position.entry)
    const seqs = this.#seqs
    const page = await readPage({
      db: this.#db,
      position,
      end,
      filter: this.#filter,
      trades: (range) => readPastTokenTrades(this.#db, seqs, range),
    })
    for (const event of page.events) if (event.type === 'trade') seqs.set(event.tokenId, event.seq)
    return page
  }
}

interface PageParts {
  readonly db: Db
  readonly position: JournalPosition
  readonly end: JournalPosition
  readonly filter: EventFilter
  readonly trades: (range: PageRange) => Promise<PlacedEvent[]>
}

async function readPage({ db, position, end, filter, trades }: PageParts): Promise<PastPage> {
  const { tokens, fairs, kinds, player = null } = filter
  const through = fairs === null ? end.entry : Math.min(end.entry, position.entry + LOOKED_THROUGH_MAX)
  const range: PageRange = { after: position.entry, through, limit: PAST_PAGE, tokens, fairs, player }
  const found = [kinds.has('trade') ? await trades(range) : []]
  for (const [kind, read] of Object.entries(pastReaders)) {
    if (kinds.has(kind as keyof typeof pastReaders)) found.push(await read(db, range))
  }
  // Where a kind has more than fit, both end with its last one.
  const lasts = found.map((list) => list[PAST_PAGE - 1]?.place ?? through)
  const entry = Math.min(through, ...lasts)
  const entries = found
    .flat()
    .filter(({ place }) => place <= entry)
    .sort((a, b) => a.place - b.place)
  const launchRange = { ...range, after: position.tokenId, through: end.tokenId }
  const launches = kinds.has('launch') ? await readLaunches(db, launchRange) : []
  return mergeByTime({ position: { ...position, entry }, end, entries, launches })
}

interface Found {
  /** Up to this entry `entries` are complete; launches follow after its token. */
  readonly position: JournalPosition
  readonly end: JournalPosition
  /** Trades and rug pulls in order. */
  readonly entries: readonly PlacedEvent[]
  /** In order, at most PAST_PAGE. */
  readonly launches: readonly PlacedEvent[]
}

/**
 * Puts launches between trades and rug pulls by time, each before the first event of its token. The others keep their order,
 * which for each token is that of its sequence numbers.
 */
function mergeByTime({ position, end, entries, launches }: Found): PastPage {
  const events: StreamEvent[] = []
  // Tokens above this one are launched on a later page.
  const lastLaunched = launches[PAST_PAGE - 1]?.place ?? end.tokenId
  let taken = 0
  const takeLaunches = (isDue: (launch: PlacedEvent) => boolean) => {
    for (let launch = launches[taken]; launch !== undefined && isDue(launch); launch = launches[taken]) {
      events.push(launch.event)
      taken++
    }
    return taken < launches.length ? (launches[taken - 1]?.place ?? position.tokenId) : lastLaunched
  }
  for (const { event, place } of entries) {
    const tokenId = tokenOf(event)
    const time = getTime(event)
    if (tokenId > lastLaunched) {
      return { next: { tokenId: takeLaunches(() => true), entry: place - 1 }, events }
    }
    // A fair's first launch may come within the millisecond of its start.
    takeLaunches(
      (launch) =>
        launch.place <= tokenId ||
        (event.type === 'fair' ? getTime(launch.event) < time : getTime(launch.event) <= time),
    )
    events.push(event)
  }
  const tokenId = takeLaunches(() => position.entry === end.entry)
  return { next: { tokenId, entry: position.entry }, events }
}
