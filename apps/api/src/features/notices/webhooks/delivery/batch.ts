import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { WebhookEvent } from './events.ts'
import { countOldTrades, eventReaders, type FoundEvent, type Range, type Wanted } from './read-events.ts'

/** Positions that one look for a batch reads: a webhook far behind moves on in steps. */
const POSITIONS_A_LOOK = 20_000
/** Events that are older before they could be sent are left out, and counted. */
const SENT_WITHIN_MS = 24 * 3_600_000

/** How far a webhook is, or may go. Notices have ids of their own, which are committed in order (notice-position.ts). */
export interface Places {
  readonly journal: number
  readonly notices: number
}

/** Where a batch's events are; the same batch is read again for another try. */
export interface Bounds {
  readonly journal: Range
  readonly notices: Range
}

export interface Batch {
  readonly events: readonly WebhookEvent[]
  readonly bounds: Bounds
  /** Events before it were too old. */
  readonly since: Date
  /** Events that were too old. */
  readonly missed: number
  /** Whether there may be events after the bounds. */
  readonly hasMore: boolean
}

/** Whose journal a webhook follows. */
type OfMarket = Pick<Wanted, 'fairs'>

/** How far the journal was followed. */
export async function readEnds(db: Db, { fairs }: OfMarket): Promise<Places> {
  const { rows } = await sql<Places>`
    select ${sql.ref(fairs === null ? 'trade_id' : 'fair_trade_id')} as journal, coalesce((select max(id) from notices), 0)::bigint as notices
      from notice_position`.execute(db)
  const [ends] = rows
  if (ends === undefined) throw new Error('nobody follows the market')
  return ends
}

/**
 * Whether the journal was followed further than `ends` when this transaction commits. A step of the follower that began before
 * sees a claimed webhook as still marked and does not mark it again, so this waits for that step; later ones wait for this.
 */
export async function haveEndsMoved(tx: Tx, ends: Places, market: OfMarket): Promise<boolean> {
  await sql`select from notice_position for share`.execute(tx)
  return !isDeepStrictEqual(await readEnds(tx, market), ends)
}

interface Look {
  readonly from: Places
  readonly to: Places
  /** Max events of a batch. */
  readonly most: number
  readonly now: Date
}

/** The next events of a webhook, notices first where they do not all fit; within the batch by time. */
export async function readNextBatch(db: Db, wanted: Wanted, { from, to, most, now }: Look): Promise<Batch> {
  const since = new Date(now.getTime() - SENT_WITHIN_MS)
  const taken = new EventsOfBatch(wanted, most, since)
  const take = async (kind: keyof Places, through = to[kind]) =>
    await taken.add({ after: from[kind], through }, async (range, limit) => {
      return await eventReaders[kind](db, wanted, { ...range, limit, since })
    })
  const notices = await take('notices')
  const journal = await take('journal', Math.min(to.journal, from.journal + POSITIONS_A_LOOK))
  const missed = taken.missed + (await countOldTrades(db, wanted, journal, since))
  const bounds = { journal, notices }
  const hasMore = Object.entries(bounds).some(([kind, { through }]) => through < to[kind as keyof Places])
  return { events: taken.sorted(), bounds, since, missed, hasMore }
}

/** The events of an earlier batch, without events that were too old then. */
export async function readBatch(
  db: Db,
  wanted: Wanted,
  { bounds, since }: Pick<Batch, 'bounds' | 'since'>,
  most: number,
): Promise<WebhookEvent[]> {
  const found: FoundEvent[] = []
  // In the order of the first try, which events of one moment keep. JSON in PostgreSQL has an order of its own.
  for (const kind of Object.keys(eventReaders) as (keyof Bounds)[]) {
    const range = bounds[kind]
    // A player's own trade is two events; tokens that are visible again may add some.
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

  /** Adds what fits of a range; returns the part of the range that has been read. */
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

/** The first events that fit; those of a row, which may be two, come together. */
function takeWholeRows(found: readonly FoundEvent[], room: number): readonly FoundEvent[] {
  const next = found[room]
  return next === undefined ? found : found.slice(0, room).filter(({ rowId }) => rowId !== next.rowId)
}

/**
 * A post has the time at which it was written, an order that still waits that at which it was placed: what has changed since is
 * told whenever it was.
 */
function isOld({ type, data, timestamp }: WebhookEvent, since: string): boolean {
  if (type === 'order') return timestamp < since && data.order.endedAt !== null
  return timestamp < since && !(type === 'post' && data.kind === 'changed')
}

function sortByTime(events: readonly WebhookEvent[]): WebhookEvent[] {
  return events.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)))
}
