import type { EventKind, GapEvent, LiveEvent } from '@papermoon/contract/live'
import { BadInputError } from '../../errors.ts'
import type { StreamEvent } from '../../events/journal.ts'
import { needsNames } from '../../events/stream/channels.ts'
import { type EventCursor, isBehind, type JournalPosition } from '../../events/stream/event-cursors.ts'
import type { EventFilter } from '../../events/stream/event-filter.ts'
import { readNext } from '../../events/stream/past-rows.ts'
import { createEventCounter, type Listener, replay } from './replay.ts'

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
 * Sends events to a connection: from the journal after the cursor, then the latest from memory, then live. Each at least once,
 * and those of a token in the order of their sequence numbers. Where the cursor is too old, or of another database, it says that
 * there is a gap and goes on with what happens now; a strict outlet gets a `BadInputError`, and a `RateLimitedError` for too
 * many events.
 */
export async function followEvents(listener: Listener, { filter, cursor }: WantedEvents): Promise<void> {
  const { app, outlet } = listener
  if (cursor === null) outlet.goLive(app.live.stream.subscribe(filter, outlet))
  else await catchUp(listener, filter, cursor)
}

async function catchUp(listener: Listener, filter: EventFilter, cursor: EventCursor): Promise<void> {
  const { app, outlet } = listener
  const { stream } = app.live
  const readPage = createPageReader(listener, filter)
  let position = await findStart(listener, filter, cursor)
  /** How far the events in memory were sent; null while the journal is read. */
  let mark: number | null = null
  while (!outlet.signal.aborted) {
    const end = stream.position
    if (end === null) await stream.whenSettled(outlet.signal)
    else if (mark === null && isBehind(position, end)) {
      position = await readPage(position, end)
      await outlet.drained()
    } else {
      mark ??= stream.settledMark
      const kept = stream.readKept(mark, KEPT_PAGE)
      const unnamed = findUnnamed(listener, filter, kept?.events ?? [])
      if (unnamed.length > 0) await stream.names.load(unnamed)
      else if (kept === null) mark = null
      else {
        stream.sendTo(outlet, filter, { events: kept.events, cursor: stream.cursors.format(position) })
        // No event falls between: nothing is awaited since the kept ones were read.
        if (kept.isLast) return goLive(listener, filter, position)
        mark = kept.next
        await outlet.drained()
      }
    }
  }
}

/** Returns the function that sends a page of the journal and returns the place after it. */
function createPageReader(listener: Listener, filter: EventFilter) {
  const { app, outlet } = listener
  const { names, cursors } = app.live.stream
  const past = app.live.pastEvents.open(filter)
  const count = createEventCounter(listener)
  return async (position: JournalPosition, end: JournalPosition): Promise<JournalPosition> => {
    const { events, next } = await replay(
      listener,
      () => past.read(position, end),
      (page) => page.events.length,
    )
    await count(events.length)
    const unnamed = findUnnamed(listener, filter, events)
    if (unnamed.length > 0) await names.load(unnamed)
    app.live.stream.sendTo(outlet, filter, {
      events,
      cursor: cursors.format(position),
      lastCursor: cursors.format(next),
    })
    outlet.moveTo(cursors.format(next))
    app.live.streamMetrics.replayed.inc(events.length)
    return next
  }
}

function findUnnamed({ app, outlet }: Listener, filter: EventFilter, events: readonly StreamEvent[]): number[] {
  return needsNames(filter, outlet.format) ? app.live.stream.names.findMissing(events) : []
}

/** Says that the past ends here. The kept events come again after a loss, so the place to resume at is before them. */
function goLive(listener: Listener, filter: EventFilter, position: JournalPosition): void {
  const { app, outlet } = listener
  if (!outlet.isStrict) say(listener, { type: 'live', at: app.platform.clock.now().toISOString() }, position)
  outlet.goLive(app.live.stream.subscribe(filter, outlet))
}

function say({ app, outlet }: Listener, message: GapEvent | LiveEvent, position: JournalPosition): void {
  const cursor = app.live.stream.cursors.format(position)
  const text = outlet.format.toText({ kind: message.type, json: JSON.stringify(message), cursor, event: null })
  outlet.receive(outlet.format.toBytes([text]))
}

/** Where to begin, after saying what is missed. */
async function findStart(listener: Listener, filter: EventFilter, cursor: EventCursor): Promise<JournalPosition> {
  const { app, outlet } = listener
  const gap = await findGap(listener, filter, cursor)
  if (gap !== null && outlet.isStrict) {
    throw new BadInputError(
      'The server no longer has the events after lastEventId. Subscribe without it, and read the market again.',
    )
  }
  const start = app.live.stream.position
  if (gap === null || start === null) return cursor.position
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
