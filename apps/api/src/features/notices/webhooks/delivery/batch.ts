import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { WebhookEvent } from './read-events.ts'
import { countOldTrades, eventReaders, type FoundEvent, type Range, type Wanted } from './read-events.ts'

/** Max number of journal positions that one check reads. A webhook that is far behind needs several checks. */
const POSITIONS_A_LOOK = 20_000
/** Max age at which an event is still sent, in ms. Older events are skipped, and only their number is reported. */
const SENT_WITHIN_MS = 24 * 3_600_000

/**
 * A webhook's positions in the journal and in the notices. Notices have separate ids, which are committed in order (see
 * follow.ts).
 */
export interface Positions {
  readonly journal: number
  readonly notices: number
}

/** The ranges of journal positions and notice ids in a batch. A retry reads the same ranges. */
export interface Bounds {
  readonly journal: Range
  readonly notices: Range
}

export interface Batch {
  readonly events: readonly WebhookEvent[]
  readonly bounds: Bounds
  /** Events before this time are too old to be sent. */
  readonly since: Date
  /** Number of events that were too old to be sent. */
  readonly missed: number
  /** Whether more events may exist after these ranges. */
  readonly hasMore: boolean
}

/** The market whose journal a webhook follows. */
type OfMarket = Pick<Wanted, 'fairs'>

/** Returns the positions up to which the follower has processed the journals. */
export async function readEnds(db: Db, { fairs }: OfMarket): Promise<Positions> {
  const { rows } = await sql<Positions>`
    select ${sql.ref(fairs === null ? 'trade_id' : 'fair_trade_id')} as journal, coalesce((select max(id) from notices), 0)::bigint as notices
      from notice_position`.execute(db)
  const [ends] = rows
  if (ends === undefined) throw new Error('nobody follows the market')
  return ends
}

/**
 * Returns whether the follower has passed `ends` by the time this transaction commits. A step of the follower that
 * started earlier still sees the webhook as marked, and will not mark it again. For this reason, this function waits
 * for that step. Later steps of the follower wait for this transaction.
 */
export async function haveEndsMoved(tx: Tx, ends: Positions, market: OfMarket): Promise<boolean> {
  await sql`select from notice_position for share`.execute(tx)
  return !isDeepStrictEqual(await readEnds(tx, market), ends)
}

interface Look {
  readonly from: Positions
  readonly to: Positions
  /** Max number of events in a batch. */
  readonly most: number
  readonly now: Date
}

/** Reads a webhook's next events, sorted by time. If there are too many events, notices are sent first. */
export async function readNextBatch(db: Db, wanted: Wanted, { from, to, most, now }: Look): Promise<Batch> {
  const since = new Date(now.getTime() - SENT_WITHIN_MS)
  const taken = new EventsOfBatch(wanted, most, since)
  const take = async (kind: keyof Positions, through = to[kind]) =>
    await taken.add({ after: from[kind], through }, async (range, limit) => {
      return await eventReaders[kind](db, wanted, { ...range, limit, since })
    })
  const notices = await take('notices')
  const journal = await take('journal', Math.min(to.journal, from.journal + POSITIONS_A_LOOK))
  const missed = taken.missed + (await countOldTrades(db, wanted, journal, since))
  const bounds = { journal, notices }
  const hasMore = Object.entries(bounds).some(([kind, { through }]) => through < to[kind as keyof Positions])
  return { events: taken.sorted(), bounds, since, missed, hasMore }
}

/** Reads the events of an earlier batch again. Leaves out events that were too old at the first attempt. */
export async function readBatch(
  db: Db,
  wanted: Wanted,
  { bounds, since }: Pick<Batch, 'bounds' | 'since'>,
  most: number,
): Promise<WebhookEvent[]> {
  const found: FoundEvent[] = []
  // Read in the order of the first attempt, because events with the same time must keep their order. PostgreSQL stores
  // the keys of JSON in another order.
  for (const kind of Object.keys(eventReaders) as (keyof Bounds)[]) {
    const range = bounds[kind]
    // Read twice as many events, because a player's own trade is two events, and tokens that became visible again can
    // add events.
    found.push(...(await eventReaders[kind](db, wanted, { ...range, limit: 2 * most, since })))
  }
  const oldest = since.toISOString()
  const isGood = (event: WebhookEvent) => wanted.events.includes(event.type) && !isOld(event, oldest)
  return sortByTime(found.map(({ event }) => event).filter(isGood))
}

class EventsOfBatch {
  missed = 0
  readonly #wanted: Wanted
  readonly #most: number
  readonly #since: string
  readonly #events: WebhookEvent[] = []

  constructor(wanted: Wanted, most: number, since: Date) {
    this.#wanted = wanted
    this.#most = most
    this.#since = since.toISOString()
  }

  /** Adds the events of a range to the batch, as far as they fit. Returns the range whose events were added. */
  async add(range: Range, read: (range: Range, room: number) => Promise<FoundEvent[]>): Promise<Range> {
    const { after } = range
    const room = this.#most - this.#events.length
    if (range.through <= after || room <= 0) return { after, through: after }
    const found = await read(range, room)
    const fitting = takeWholeRows(found, room)
    for (const { event } of fitting) {
      if (!this.#wanted.events.includes(event.type)) continue
      if (isOld(event, this.#since)) this.missed++
      else this.#events.push(event)
    }
    const rows = new Set(found.map(({ rowId }) => rowId))
    const isAll = rows.size < room && fitting.length === found.length
    return { after, through: isAll ? range.through : (fitting.at(-1)?.rowId ?? after) }
  }

  sorted(): WebhookEvent[] {
    return sortByTime(this.#events)
  }
}

/** Returns as many of the first events as fit into the batch. Two events from the same row stay together. */
function takeWholeRows(found: readonly FoundEvent[], room: number): readonly FoundEvent[] {
  const next = found[room]
  return next === undefined ? found : found.slice(0, room).filter(({ rowId }) => rowId !== next.rowId)
}

/**
 * Returns whether an event is too old to be sent. The event of a changed post or an open order has the time of its
 * creation, so it is never too old.
 */
function isOld({ type, data, timestamp }: WebhookEvent, since: string): boolean {
  if (type === 'order') return timestamp < since && data.order.endedAt !== null
  return timestamp < since && !(type === 'post' && data.kind === 'changed')
}

function sortByTime(events: readonly WebhookEvent[]): WebhookEvent[] {
  return events.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)))
}
