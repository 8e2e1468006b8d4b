import type { EventKind } from '@papermoon/contract/live'
import type { Db } from '@papermoon/db'
import { type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { readPostEvents } from '../features/talk/read-posts.ts'
import {
  type JournalPage,
  type JournalRange,
  type PlacedEvent,
  readFairMoments,
  readLaunches,
  readOrderEvents,
  readRugs,
  readSeals,
  readTrades,
} from './journal.ts'
import { type EventFilter, toFilterKey } from './stream/channels.ts'

/** Max number of rows of each kind in a page. */
const PAGE = 500
/**
 * Max number of journal positions that one page scans. The limit matters if few of these events belong to the
 * listener's fairs.
 */
const LOOKED_THROUGH_MAX = 20_000
/** Max number of cached events, about 20 MB. */
const EVENTS_MAX = 12_000
/**
 * Max age of a cached page in ms. If someone changes the database manually, listeners see the change after this time.
 */
const AGE_MAX_MS = 30_000

type PageRange = JournalRange & { readonly through: number; readonly limit: number }
type KindReader = (db: Db, range: PageRange) => Promise<PlacedEvent[]>

const KIND_READERS: Record<EventKind, KindReader> = {
  trade: readTrades,
  rug: readRugs,
  seal: readSeals,
  fair: readFairMoments,
  post: readPostEvents,
  order: readOrderEvents,
  launch: readLaunches,
}
const ALL_KINDS = Object.keys(KIND_READERS) as EventKind[]

/**
 * Reads the events between two journal positions, at most `limit` of each kind. If there are more events of a kind, the
 * page ends at the last one that was read.
 */
export async function readJournal(
  db: Db,
  range: PageRange,
  { kinds = ALL_KINDS, trades = readTrades }: { kinds?: Iterable<EventKind>; trades?: KindReader } = {},
): Promise<JournalPage> {
  const found: PlacedEvent[][] = []
  for (const kind of kinds) found.push(await (kind === 'trade' ? trades : KIND_READERS[kind])(db, range))
  const through = Math.min(range.through, ...found.map((list) => list[range.limit - 1]?.place ?? range.through))
  const events = found.flat().filter(({ place }) => place <= through)
  return { events: events.sort((a, b) => a.place - b.place), through }
}

/** Reads the journal page by page for one listener. */
export interface PageReader {
  /**
   * Reads the next events after a position, at most up to `end`. The result also contains events of hidden tokens. Each
   * page ends at a later position.
   */
  read(after: number, end: number): Promise<JournalPage>
}

/** Number of visible changes that produced no event. */
interface Visible {
  readonly visibility: number
}

/**
 * Reads the journal for listeners that resume. Caches pages, so listeners that resume at the same position share them.
 */
export class JournalReader {
  readonly #db: Db
  readonly #feed: Visible
  readonly #pages = new LRUCache<string, JournalPage>({
    maxSize: EVENTS_MAX,
    sizeCalculation: ({ events }) => 1 + events.length,
    ttl: AGE_MAX_MS,
  })
  #pending = new Map<string, Promise<JournalPage>>()
  #visibility: number

  constructor({ db, feed }: { readonly db: Db; readonly feed: Visible }) {
    this.#db = db
    this.#feed = feed
    this.#visibility = feed.visibility
  }

  open(filter: EventFilter): PageReader {
    const reader = filter.tokens === null ? new MarketReader(this.#db, filter) : new TokensReader(this.#db, filter)
    // Do not share pages with posts between listeners, because a page must not contain the text of a post that was
    // deleted or hidden.
    const isShared = !filter.kinds.has('post') && !filter.kinds.has('order')
    const key = toFilterKey(filter)
    return {
      read: async (after, end) => {
        const read = () => reader.read(after, end)
        const page = await (isShared ? this.#share(`${key} ${after}`, read) : read())
        reader.note(page)
        return page
      },
    }
  }

  /** Clears the cache after a change without an event. */
  clear(): void {
    this.#pages.clear()
    this.#pending = new Map()
  }

  async #share(key: string, read: () => Promise<JournalPage>): Promise<JournalPage> {
    if (this.#feed.visibility !== this.#visibility) this.clear()
    this.#visibility = this.#feed.visibility
    const pending = this.#pending
    const known = this.#pages.get(key) ?? pending.get(key)
    if (known !== undefined) return await known
    const reading = read().finally(() => pending.delete(key))
    pending.set(key, reading)
    const page = await reading
    // Do not cache a page that was read before the cache was cleared.
    if (this.#pending === pending) this.#pages.set(key, page)
    return page
  }
}

class MarketReader implements PageReader {
  readonly #db: Db
  readonly #filter: EventFilter
  readonly #kinds: readonly EventKind[]

  constructor(db: Db, filter: EventFilter) {
    this.#db = db
    this.#filter = filter
    this.#kinds = ALL_KINDS.filter(
      (kind) => filter.kinds.has(kind) && (kind !== 'order' || filter.player !== undefined),
    )
  }

  async read(after: number, end: number): Promise<JournalPage> {
    const { tokens, fairs, player = null } = this.#filter
    const through = fairs === null ? end : Math.min(end, after + LOOKED_THROUGH_MAX)
    const range = { after, through, limit: PAGE, tokens, fairs, player }
    return await readJournal(this.#db, range, { kinds: this.#kinds, trades: (db, of) => this.readTrades(db, of) })
  }

  readTrades(db: Db, range: PageRange): Promise<PlacedEvent[]> {
    return readTrades(db, range)
  }

  /** Called with each page that this or another journal reader has read. */
  note(_page: JournalPage): void {}
}

/** Reads the journal of a few tokens. Finds the tokens' trades by sequence number, without reading other trades. */
class TokensReader extends MarketReader {
  readonly #tokens: readonly number[]
  /** The last sequence number that was read, by token. */
  #seqs: Map<number, number> | null = null

  constructor(db: Db, filter: EventFilter) {
    super(db, filter)
    this.#tokens = filter.tokens ?? []
  }

  override async readTrades(db: Db, { after, through, limit }: PageRange): Promise<PlacedEvent[]> {
    this.#seqs ??= await readSeqsAt(db, this.#tokens, after)
    const seqs = this.#seqs
    const { rows } = await sql<{ id: number }>`
      select t.id from unnest(${[...seqs.keys()]}::int[], ${[...seqs.values()]}::bigint[]) v (token_id, seq)
        cross join lateral (
          select id from trades where token_id = v.token_id and seq > v.seq and id <= ${through}
           order by seq limit ${limit}
        ) t
       order by t.id limit ${limit}`.execute(db)
    if (rows.length === 0) return []
    const only = sql<SqlBool>`t.id = any(${rows.map(({ id }) => id)}::bigint[])`
    return await readTrades(db, { after: 0, only })
  }

  override note({ events }: JournalPage): void {
    for (const { event } of events) if (event.type === 'trade') this.#seqs?.set(event.tokenId, event.seq)
  }
}

/**
 * Finds each token's last sequence number at a position by binary search, because a token's sequence numbers start at 1
 * and have no gaps.
 */
async function readSeqsAt(db: Db, tokens: readonly number[], position: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ tokenId: number; seq: number }>`
    with recursive search (token_id, low, high) as (
      select token_id, 0::bigint, seq + 1 from pools where token_id = any(${tokens}::int[])
      union all
      select s.token_id, case when t.id <= ${position} then s.middle else s.low end,
             case when t.id <= ${position} then s.high else s.middle end
        from (select *, (low + high) / 2 as middle from search where high - low > 1) s
        left join lateral (
          select id from trades where token_id = s.token_id and seq = s.middle offset 0
        ) t on true
    )
    select token_id as "tokenId", low as seq from search where high - low <= 1`.execute(db)
  return new Map(rows.map(({ tokenId, seq }) => [tokenId, seq]))
}

/** Position at which a token's events after a sequence number begin. */
export interface TokenPosition {
  readonly lastSeq: number
  /** Journal position of the event with this sequence number. */
  readonly position: number
}

export async function findTokenPosition(db: Db, tokenId: number, toSeq: (lastSeq: number) => number) {
  const { rows: pools } = await sql<{ seq: number }>`
    select p.seq from pools p join tokens t on t.id = p.token_id
     where p.token_id = ${tokenId} and t.hidden_at is null`.execute(db)
  const lastSeq = pools[0]?.seq
  if (lastSeq === undefined) return null
  const seq = toSeq(lastSeq)
  const { rows } = await sql<{ position: number }>`
    select coalesce((select id from trades where token_id = ${tokenId} and seq = ${seq}),
      (select position from rugs where token_id = ${tokenId} and seq = ${seq}),
      (select position from tokens where id = ${tokenId} and ${seq} = 0),
      (select id - 1 from trades where token_id = ${tokenId} and seq = ${seq} + 1), 0)::bigint as position`.execute(db)
  return { lastSeq, position: rows[0]?.position ?? 0 } satisfies TokenPosition
}

/** The next event after a position in the journal. */
export interface NextInJournal {
  /** Time of the next event. Null if there is none. */
  readonly nextAt: Date | null
  /** Whether the position is past the journal's end, which happens when the database was restored from a backup. */
  readonly isBeyondEnd: boolean
}

export async function readNext(db: Db, position: number): Promise<NextInJournal> {
  const { rows } = await sql<NextInJournal>`
    select (select min(created_at) from (
        (select created_at from trades where id > ${position} order by id limit 1)
        union all (select created_at from rugs where position > ${position} order by position limit 1)
        union all (select created_at from seals where position > ${position} order by position limit 1)
        union all (select created_at from fair_moments where position > ${position} order by position limit 1)
        union all (select created_at from posts where position > ${position} order by position limit 1)
        union all (select coalesce(ended_at, placed_at) from waiting_orders where position > ${position}
          order by position limit 1)
        union all (select created_at from tokens where position > ${position} order by position limit 1)
      ) next) as "nextAt", ${position} > position as "isBeyondEnd" from journal`.execute(db)
  return rows[0] ?? { nextAt: null, isBeyondEnd: true }
}

/**
 * Returns the last position before a time. The times of concurrent events can differ slightly from the order of their
 * positions.
 */
export async function readPositionAt(db: Db, time: Date): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    select greatest(
      (select id from trades where created_at < ${time} order by id desc limit 1),
      (select position from rugs where created_at < ${time} order by position desc nulls last limit 1), 0)::bigint
      as position`.execute(db)
  return rows[0]?.position ?? 0
}
