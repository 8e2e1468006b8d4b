import type { EventKind, GapEvent, LiveEvent } from '@papermoon/contract/live'
import { TokenNotFoundError } from '@papermoon/engine'
import { BadInputError } from '../../errors.ts'
import { type PlacedEvent, readPosition } from '../../events/journal.ts'
import { findTokenPosition, readNext } from '../../events/journal-reader.ts'
import { DEFAULT_FILTER, type EventFilter, needsNames } from '../../events/stream/channels.ts'
import type { EventCursor } from '../../events/stream/event-text.ts'
import { createEventCounter, EVENTS_PER_READ, type Listener, replay } from './replay.ts'

/** Max number of events from memory that are sent at once. */
const BUFFERED_PAGE = 500
/** Max age of a cursor in ms: 24 hours, plus two hours because nodes' clocks may differ. */
const RESUME_MAX_MS = 26 * 3_600_000
/**
 * Kinds with so few events that all of them can be sent, even if the cursor is old. A subscriber that received no event
 * since its first cursor can therefore resume at that cursor.
 */
const RARE_KINDS: ReadonlySet<EventKind> = new Set(['seal', 'post', 'order'])

export interface WantedEvents {
  readonly filter: EventFilter
  /** The cursor at which to resume. The cursor is null if the subscriber wants only new events. */
  readonly cursor: EventCursor | null
}

/**
 * Sends events to a connection: first from the journal after the cursor, then from memory, then live. Sends each event
 * at least once, in the order of positions. If the cursor is too old or from another database, sends a gap message and
 * continues with new events. A strict outlet gets a `BadInputError` instead, or a `RateLimitedError` after too many
 * events.
 */
export async function followEvents(listener: Listener, { filter, cursor }: WantedEvents): Promise<void> {
  const { app, outlet } = listener
  if (cursor === null) outlet.goLive(app.live.stream.subscribe(filter, outlet))
  else await followFrom(listener, filter, await findStart(listener, filter, cursor))
}

/** Sends the events after a journal position, then live events. */
async function followFrom(listener: Listener, filter: EventFilter, start: number): Promise<void> {
  const { app, outlet } = listener
  const { stream, feed } = app.live
  const count = createEventCounter(listener)
  const readPage = createPageReader(listener, filter, count)
  let position = start
  /** Number of events after the position that were counted as reads. */
  let counted = 0
  while (!outlet.signal.aborted) {
    const kept = stream.readBuffered(position, BUFFERED_PAGE)
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
      // No event can be missed, because nothing was awaited since the events were read from memory.
      if (kept.isLast) return goLive(listener, filter, position)
      await outlet.drained()
    }
  }
}

/** Creates a function that sends a page of the journal and returns the position after it. */
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

/** Reports that all past events were sent, then subscribes. */
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

/** Returns the start position. Sends a gap message first if events are missing. */
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

/** Returns why some events after a cursor cannot be sent; null if all can be sent. */
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

/** Max number of events that a subscriber can catch up on. If more are missing, clients read the token again. */
const CATCH_UP_MAX = 10_000
/**
 * A subscriber that lacks more events starts at a multiple of this number. Subscribers then read the same pages of the
 * journal.
 */
const START_STEP = 500

/** A token whose events after `lastSeq` are requested. If `lastSeq` is null, only new events are requested. */
interface WantedToken {
  readonly tokenId: number
  readonly lastSeq: number | null
}

/**
 * Sends a token's events after `lastSeq`, in order: from the journal, then from memory, then live. Throws
 * `RateLimitedError` for too many events from the journal, and `TokenNotFoundError`.
 */
export async function followToken(listener: Listener, { tokenId, lastSeq }: WantedToken): Promise<void> {
  const {
    platform: { db },
    live: { feed },
  } = listener.app
  // A sequence number past the token's last one comes from another database, for example from before a restore.
  const toSeq = (end: number) => Math.max(Math.min(lastSeq ?? end, end), findCatchUpStart(end))
  const place = await replay(listener, () => findTokenPosition(db, tokenId, toSeq))
  if (place === null) throw new TokenNotFoundError()
  await feed.catchUp(await readPosition(db))
  if (feed.isHidden(tokenId)) throw new TokenNotFoundError()
  await followFrom(listener, { ...DEFAULT_FILTER, tokens: [tokenId] }, place.position)
}

/** Returns the sequence number after which the subscriber's events start. */
export function findCatchUpStart(lastSeq: number): number {
  return Math.floor((lastSeq - CATCH_UP_MAX - 1) / START_STEP + 1) * START_STEP
}
