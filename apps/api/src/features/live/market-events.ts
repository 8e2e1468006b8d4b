import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketEvent } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { EventBuffer } from '../../events/event-buffer.ts'
import { noteCursor } from '../../events/stream/event-cursor-notes.ts'
import type { EventCursor } from '../../events/stream/event-cursors.ts'
import { EVERYTHING } from '../../events/stream/event-filter.ts'
import { isBehind, type JournalPosition } from '../../events/stream/journal-position.ts'
import { readPositionAt } from '../../events/stream/past-rows.ts'
import { findGap } from './find-gap.ts'
import type { LiveReader } from './live-reader.ts'
import { replay } from './replay.ts'

const BUFFER_MAX = 500
/** Events from memory that are sent at once. */
const KEPT_PAGE = 500
/** More than nodes' clocks differ: who resumes at a time gets events from this long before. */
const WINDOW_MS = 5_000
const UNSENT_MS = 50

/** Where a subscriber resumes: at the id of an event, or shortly before a time. */
export type ResumeAt = EventCursor | Date

/**
 * The events of all visible tokens as they happen, in groups. After a break or an overflow those that were missed come first, all
 * of them, from the journal and from memory. Some repeat: (tokenId, seq) identifies them. Throws `BadInputError` where they
 * are no longer kept, and `RateLimitedError` for too many at once.
 */
export async function* marketEvents(reader: LiveReader, resumeAt: ResumeAt | null): AsyncGenerator<MarketEvent[]> {
  const { app, signal = new AbortController().signal } = reader
  const { stream } = app
  const buffer = new EventBuffer({ sizeMax: BUFFER_MAX, signal, wakes: app.wakeQueue })
  const detach = app.feed.onEvent(buffer.push)
  try {
    let until = stream.mark()
    if (stream.position === null) await stream.whenSettled(signal)
    /** Everything at or below it was sent. */
    let position = resumeAt === null ? stream.position : await findStart(reader, resumeAt)
    let isMissing = resumeAt !== null
    while (!signal.aborted && position !== null) {
      if (isMissing) position = yield* missedEvents({ ...reader, signal }, position, until)
      const settled = stream.position
      const { events, overflowed } = await buffer.take()
      until = stream.mark()
      const shown = events.filter((event) => !app.feed.isHidden(event.tokenId))
      if (shown.length > 0) yield shown
      isMissing = overflowed
      if (!overflowed) position = settled ?? position
    }
  } finally {
    detach()
  }
}

/** Events from `position` on, at least those before the mark `until`. Returns the settled place below which all were sent. */
async function* missedEvents(
  { app, ip, signal, spendEvents }: LiveReader & { readonly signal: AbortSignal },
  position: JournalPosition,
  until: number,
): AsyncGenerator<MarketEvent[], JournalPosition> {
  const { stream } = app
  const past = app.pastEvents.open(EVERYTHING)
  let place = position
  /** How far the events in memory were sent; null while the journal is read. */
  let mark = null as number | null
  while (!signal.aborted) {
    const end = stream.position
    if (end === null) {
      await stream.whenSettled(signal)
      continue
    }
    if (mark === null && isBehind(place, end)) {
      const { events, next } = await replay({ app, ip }, () => past.read(place, end))
      await spendEvents(events.length)
      yield* toGroup(app, events, place)
      place = next
      continue
    }
    const kept = stream.readKept(mark ?? stream.settledMark, KEPT_PAGE)
    mark = kept?.next ?? null
    if (kept === null) continue
    yield* toGroup(app, kept.events, place)
    if (kept.isLast && kept.next >= until) return place
    // Delivered before this subscriber listened, and not sent yet.
    if (kept.isLast) await sleep(UNSENT_MS)
  }
  return place
}

/** The visible ones, if any. Everything at or below `place` was sent before. */
function* toGroup(app: App, events: readonly MarketEvent[], place: JournalPosition): Generator<MarketEvent[]> {
  const shown = events.filter(({ tokenId }) => !app.feed.isHidden(tokenId))
  for (const event of shown) noteCursor(event, app.stream.cursors.format(place))
  if (shown.length > 0) yield shown
}

async function findStart(reader: LiveReader, resumeAt: ResumeAt): Promise<JournalPosition> {
  const { app } = reader
  const cursor =
    resumeAt instanceof Date
      ? { position: await replay(reader, () => readPositionAt(app.db, toStart(resumeAt))), isOwn: true }
      : resumeAt
  if ((await findGap(reader, cursor)) === null) return cursor.position
  throw new BadInputError(
    'The events after lastEventId are no longer kept, so there is a gap: subscribe without it, and read the market again.',
  )
}

const toStart = (time: Date) => new Date(time.getTime() - WINDOW_MS)
