import type { EventKind, GapEvent, LiveEvent } from '@papermoon/contract/live'
import { BadInputError } from '../../errors.ts'
import type { PlacedEvent } from '../../events/journal.ts'
import { readNext } from '../../events/journal-reader.ts'
import { needsNames } from '../../events/stream/channels.ts'
import type { EventCursor } from '../../events/stream/event-cursors.ts'
import type { EventFilter } from '../../events/stream/event-filter.ts'
import { createEventCounter, EVENTS_PER_READ, type Listener, replay } from './replay.ts'

/** Events from memory that are sent at once. */
const KEPT_PAGE = 500
/** Listeners may resume at any event of the last 24 hours; two more, since nodes' clocks may differ by as much. */
const RESUME_MAX_MS = 26 * 3_600_000
/**
 * Kinds with so few events that all of them can be sent, however old the cursor: a subscriber that got none since then
 * resumes at its first cursor.
 */
const RARE_KINDS: ReadonlySet<EventKind> = new Set(['seal', 'post', 'order'])

export interface WantedEvents {
  readonly filter: EventFilter
  /** Null: from now on. */
  readonly cursor: EventCursor | null
}

/**
 * Sends events to a connection: from the journal after the cursor, then the latest from memory, then live. Each at least once, in
 * the order of positions. Where the cursor is too old, or of another database, it says that there is a gap and goes on with what
 * happens now; a strict outlet gets a `BadInputError`, and a `RateLimitedError` for too many events.
 */
export async function followEvents(listener: Listener, { filter, cursor }: WantedEvents): Promise<void> {
  const { app, outlet } = listener
  if (cursor === null) outlet.goLive(app.live.stream.subscribe(filter, outlet))
  else await followFrom(listener, filter, await findStart(listener, filter, cursor))
}

/** Sends events after a position, then live ones. */
export async function followFrom(listener: Listener, filter: EventFilter, start: number): Promise<void> {
  const { app, outlet } = listener
  const { stream, feed } = app.live
  const count = createEventCounter(listener)
  const readPage = createPageReader(listener, filter, count)
  let position = start
  /** Events after the position that were counted. */
  let counted = 0
  while (!outlet.signal.aborted) {
    const kept = stream.readKept(position, KEPT_PAGE)
    const unnamed = findUnnamed(listener, filter, kept?.events ?? [])
    const uncounted = kept === null ? 0 : stream.select(filter, kept.events).length - counted
    if (unnamed.length > 0) await stream.names.load(unnamed)
    else if (kept === null) {
      position = await readPage(position, feed.position)
      await outlet.drained()
    } else if (uncounted >= EVENTS_PER_READ) {
      await count(uncounted)
      counted += uncounted
    } else {
      stream.sendTo(outlet, filter, kept)
      position = kept.through
      counted = 0
      // No event falls between: nothing is awaited since the kept ones were read.
      if (kept.isLast) return goLive(listener, filter, position)
      await outlet.drained()
    }
  }
}

/** Returns the function that sends a page of the journal and returns the position after it. */
function createPageReader(listener: Listener, filter: EventFilter, count: (events: number) => Promise<void>) {
  const { app, outlet } = listener
  const { names, cursors } = app.live.stream
  const reader = app.live.journal.open(filter)
  return async (position: number, end: number): Promise<number> => {
    const page = await replay(
      listener,
      () => reader.read(position, end),
      ({ events }) => events.length,
    )
    await count(page.events.length)
    const unnamed = findUnnamed(listener, filter, page.events)
    if (unnamed.length > 0) await names.load(unnamed)
    app.live.stream.sendTo(outlet, filter, page)
    outlet.moveTo(cursors.format(page.through))
    app.live.streamMetrics.replayed.inc(page.events.length)
    return page.through
  }
}

function findUnnamed({ app, outlet }: Listener, filter: EventFilter, placed: readonly PlacedEvent[]): number[] {
  return needsNames(filter, outlet.format) ? app.live.stream.names.findMissing(placed.map(({ event }) => event)) : []
}

/** Says that the past ends here. */
function goLive(listener: Listener, filter: EventFilter, position: number): void {
  const { app, outlet } = listener
  if (!outlet.isStrict) say(listener, { type: 'live', at: app.platform.clock.now().toISOString() }, position)
  outlet.goLive(app.live.stream.subscribe(filter, outlet))
}

function say({ app, outlet }: Listener, message: GapEvent | LiveEvent, position: number): void {
  const cursor = app.live.stream.cursors.format(position)
  const text = outlet.format.toText({ kind: message.type, json: JSON.stringify(message), cursor, event: null })
  outlet.receive(outlet.format.toBytes([text]))
}

/** Where to begin, after saying what is missed. */
async function findStart(listener: Listener, filter: EventFilter, cursor: EventCursor): Promise<number> {
  const { app, outlet } = listener
  const gap = await findGap(listener, filter, cursor)
  if (gap !== null && outlet.isStrict) {
    throw new BadInputError(
      'The server no longer has the events after lastEventId. Subscribe without it, and read the market again.',
    )
  }
  if (gap === null) return cursor.position
  const start = app.live.feed.position
  say(listener, { type: 'gap', ...gap, until: app.platform.clock.now().toISOString() }, start)
  return start
}

/** Why events after a cursor cannot be sent; null where all of them can. */
async function findGap(
  listener: Listener,
  { kinds }: EventFilter,
  { position, isOwn }: EventCursor,
): Promise<Pick<GapEvent, 'reason' | 'since'> | null> {
  if (!isOwn) return { reason: 'unknown', since: null }
  const { app } = listener
  const { nextAt, isBeyondEnd } = await replay(listener, () => readNext(app.platform.db, position))
  const since = nextAt?.toISOString() ?? null
  const isRare = [...kinds].every((kind) => RARE_KINDS.has(kind))
  if (!isRare && nextAt !== null && nextAt.getTime() < app.platform.clock.now().getTime() - RESUME_MAX_MS) {
    return { reason: 'expired', since }
  }
  return isBeyondEnd ? { reason: 'unknown', since } : null
}
