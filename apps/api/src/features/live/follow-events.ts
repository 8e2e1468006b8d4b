import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { RateLimitedError } from '../../errors.ts'
import type { Subscriber } from '../../events/stream/channels.ts'
import type { EventCursor } from '../../events/stream/event-cursors.ts'
import type { EventFilter } from '../../events/stream/event-filter.ts'
import { isBehind, type JournalPosition } from '../../events/stream/journal-position.ts'
import type { PastReader } from '../../events/stream/past-events.ts'
import { findGap } from './find-gap.ts'
import { replay } from './replay.ts'
import type { GapEvent, LiveEvent } from './schemas.ts'

/** Events from memory that are sent at once. */
const KEPT_PAGE = 500
/** Events from the journal that cost as much of the rate limit as one read. */
const EVENTS_PER_READ = 50

/** A connection that gets events. */
export interface Outlet extends Subscriber {
  readonly ip: string
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal
  /** Resolves once everything was sent, or the connection has ended because that took too long. */
  drained(): Promise<void>
  /** Everything at or below the cursor was sent, whether or not it had events for this connection. */
  moveTo(cursor: string): void
  /** From now on events are sent as they happen; `end` ends that. */
  goLive(end: () => void): void
}

interface Following {
  readonly app: App
  readonly filter: EventFilter
  /** Null: from now on. */
  readonly cursor: EventCursor | null
  readonly outlet: Outlet
}

/**
 * Sends events to a connection: from the journal after the cursor, then the latest from memory, then live. Each at least once,
 * and those of a token in the order of their sequence numbers. Where the cursor is too old, or of another database, it says that
 * there is a gap and goes on with what happens now. Never rejects: where the journal cannot be read, the connection is closed,
 * and its client resumes.
 */
export async function followEvents({ app, filter, cursor, outlet }: Following): Promise<void> {
  try {
    if (cursor === null) outlet.goLive(app.stream.subscribe(filter, outlet))
    else await new CatchUp({ app, filter, outlet }).run(cursor)
  } catch (error) {
    if (!outlet.signal.aborted) app.log.warn({ err: error }, 'a listener could not catch up')
    outlet.close()
  }
}

class CatchUp {
  readonly #parts: Omit<Following, 'cursor'>
  readonly #past: PastReader
  #counted = 0

  constructor(parts: Omit<Following, 'cursor'>) {
    this.#parts = parts
    this.#past = parts.app.pastEvents.open(parts.filter)
  }

  async run(cursor: EventCursor): Promise<void> {
    const { app, filter, outlet } = this.#parts
    const { stream } = app
    let position = await this.#findStart(cursor)
    /** How far the events in memory were sent; null while the journal is read. */
    let mark: number | null = null
    while (!outlet.signal.aborted) {
      const end = stream.position
      if (end === null) await stream.whenSettled(outlet.signal)
      else if (mark === null && isBehind(position, end)) position = await this.#sendPast(position, end)
      else {
        mark ??= stream.settledMark
        const kept = stream.readKept(mark, KEPT_PAGE)
        const unnamed = stream.names.findMissing(kept?.events ?? [])
        if (unnamed.length > 0) await stream.names.load(unnamed)
        else if (kept === null) mark = null
        else {
          stream.sendTo(outlet, filter, { events: kept.events, cursor: stream.cursors.format(position) })
          // No event falls between: nothing is awaited since the kept ones were read.
          if (kept.isLast) return this.#goLive(position)
          mark = kept.next
          await outlet.drained()
        }
      }
    }
  }

  /** Says that the past ends here. The kept events come again after a loss, so the place to resume at is before them. */
  #goLive(position: JournalPosition): void {
    const { app, filter, outlet } = this.#parts
    this.#say({ type: 'live', at: app.clock.now().toISOString() }, position)
    outlet.goLive(app.stream.subscribe(filter, outlet))
  }

  #say(message: GapEvent | LiveEvent, position: JournalPosition): void {
    const { app, outlet } = this.#parts
    const cursor = app.stream.cursors.format(position)
    outlet.receive(
      outlet.format.toBytes([outlet.format.toText({ kind: message.type, json: JSON.stringify(message), cursor })]),
    )
  }

  /** Where to begin, after saying what is missed. */
  async #findStart(cursor: EventCursor): Promise<JournalPosition> {
    const { app, outlet } = this.#parts
    const gap = await findGap({ app, ip: outlet.ip }, cursor)
    const start = app.stream.position
    if (gap === null || start === null) return cursor.position
    this.#say({ type: 'gap', ...gap, until: app.clock.now().toISOString() }, start)
    return start
  }

  /** Sends a page of the journal. Returns the place after it. */
  async #sendPast(position: JournalPosition, end: JournalPosition): Promise<JournalPosition> {
    const { app, filter, outlet } = this.#parts
    const { events, next } = await replay({ app, ip: outlet.ip }, () => this.#past.read(position, end))
    await this.#spend(events.length)
    const unnamed = app.stream.names.findMissing(events)
    if (unnamed.length > 0) await app.stream.names.load(unnamed)
    const { cursors } = app.stream
    app.stream.sendTo(outlet, filter, { events, cursor: cursors.format(position), lastCursor: cursors.format(next) })
    outlet.moveTo(cursors.format(next))
    app.streamMetrics.replayed.inc(events.length)
    await outlet.drained()
    return next
  }

  /** Counts events of the journal as reads. Past the limit it waits. */
  async #spend(count: number): Promise<void> {
    const { app, outlet } = this.#parts
    const before = Math.floor(this.#counted / EVENTS_PER_READ)
    this.#counted += count
    const reads = Math.floor(this.#counted / EVENTS_PER_READ) - before
    while (reads > 0) {
      try {
        return await app.limits.spend({ ip: outlet.ip, header: () => {} }, 'read', reads)
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error
        await sleep(error.retryAfterS * 1_000, undefined, { signal: outlet.signal })
      }
    }
  }
}
