import type { Database } from '@papermoon/db'
import type { MarketEvent } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { LiveFeed } from '../live-feed.ts'
import { Channels, type EventGroup, type Subscriber } from './channels.ts'
import { noteCursor } from './event-cursor-notes.ts'
import type { EventCursors } from './event-cursors.ts'
import type { EventFilter } from './event-filter.ts'
import type { JournalPosition } from './journal-position.ts'
import { TokenNames } from './token-names.ts'

/** More than the few seconds until events are settled, at any rate of trades: at most about 30 MB. */
const KEPT_MAX = 20_000
/** How many of the oldest events go at once when there are too many. */
const DROPPED_AT_ONCE = 1_000
const RETRY_NAMES_MS = 250

interface StreamParts {
  readonly db: Kysely<Database>
  readonly feed: Pick<LiveFeed, 'onEvent' | 'isHidden'>
  readonly cursors: EventCursors
  readonly log: Logger
}

/** A settled place, and the number of events that were delivered before anything above it. */
interface Settled {
  readonly position: JournalPosition
  readonly mark: number
}

/** Some of the events that are kept in memory. */
export interface KeptEvents {
  readonly events: readonly MarketEvent[]
  /** The mark after them. */
  readonly next: number
  /** Whether these are the last ones so far. */
  readonly isLast: boolean
}

/**
 * The events of the whole market for listeners that may resume.
 *
 * The market has no sequence of its own: transactions commit in another order than that of their ids. But once every
 * transaction that could write below a place of the journal has ended, and its events were delivered here, the place is
 * settled: whoever has been sent everything up to now may resume there. It moves on each second (`journal-poll.ts`). The events
 * delivered since the last settled place are kept, so a resuming listener reads the journal up to there, gets the kept ones,
 * and has missed nothing.
 */
export class EventStream {
  readonly names: TokenNames
  readonly cursors: EventCursors
  readonly #parts: StreamParts
  readonly #channels: Channels
  readonly #detach: () => void
  #kept: MarketEvent[] = []
  /** The number of events that came before the first kept one. */
  #droppedCount = 0
  /** The number of events that were sent to the subscribers. */
  #sentCount = 0
  #settled: Settled | null = null
  /** When the settled place was taken, or this stream was made; monotonic. */
  #settledMs = performance.now()
  /** A settled place above events that were not sent yet. */
  #next: Settled | null = null
  #cursor = ''
  #isScheduled = false
  #retry: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #waiting = new Set<() => void>()

  constructor(parts: StreamParts) {
    this.#parts = parts
    this.cursors = parts.cursors
    this.names = new TokenNames(parts.db)
    this.#channels = new Channels((event) => this.names.toJson(event))
    this.#detach = parts.feed.onEvent((event) => this.#add(event))
  }

  /** The last settled place; null where listeners cannot resume yet. */
  get position(): JournalPosition | null {
    return this.#settled !== null && this.#settled.mark >= this.#droppedCount ? this.#settled.position : null
  }

  /** The last settled place as a cursor; empty before the first. */
  get cursor(): string {
    return this.#cursor
  }

  /** Time since the last settled place was taken. */
  get settledAgeSeconds(): number {
    return (performance.now() - this.#settledMs) / 1_000
  }

  get subscribers(): number {
    return this.#channels.size
  }

  /** Resolves once `position` is known, or the stream is closed, or the signal aborts. */
  async whenSettled(signal: AbortSignal): Promise<void> {
    if (this.position !== null || this.#isClosed || signal.aborted) return
    await new Promise<void>((resolve) => {
      const end = () => {
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      this.#waiting.add(end)
      signal.addEventListener('abort', end)
    })
  }

  /** The number of events so far. Taken before heads of the journal are read, it belongs to them as a place. */
  mark(): number {
    return this.#droppedCount + this.#kept.length
  }

  /** Every event at or below `position` was delivered, and none above it before `mark`. */
  settle({ entry, tokenId }: JournalPosition, mark: number): void {
    this.#next = { position: { entry, tokenId }, mark }
    this.#moveOn()
  }

  /** Takes the next settled place once everything below it was sent: an event's cursor must not cover a later event. */
  #moveOn(): void {
    const next = this.#next
    if (next === null || next.mark > this.#sentCount) return
    this.#next = null
    // A listener that is still reading the kept events has until the place after this one.
    this.#drop(this.settledMark - this.#droppedCount)
    this.#settled = next
    this.#settledMs = performance.now()
    this.#cursor = this.cursors.format(next.position)
    if (this.position !== null) for (const resolve of [...this.#waiting]) resolve()
  }

  /** The number of events before anything above the settled place. */
  get settledMark(): number {
    return this.#settled?.mark ?? this.mark()
  }

  /**
   * Events after the first `mark`, as far as they were sent, at most `limit`. Null where some are not kept any more: the journal
   * has them.
   */
  readKept(mark: number, limit: number): KeptEvents | null {
    const start = mark - this.#droppedCount
    if (start < 0) return null
    const end = Math.min(start + limit, this.#sentCount - this.#droppedCount)
    const events = this.#kept.slice(start, end)
    return { events, next: mark + events.length, isLast: mark + events.length >= this.#sentCount }
  }

  /** Sends what happens from now on. Returns the function that ends it. */
  subscribe(filter: EventFilter, subscriber: Subscriber): () => void {
    return this.#channels.add(filter, subscriber)
  }

  /** Sends the events of a group that pass the filter, and are not hidden, to one subscriber. */
  sendTo(subscriber: Subscriber, filter: EventFilter, group: EventGroup): void {
    this.#channels.sendTo(subscriber, filter, { ...group, events: this.#shown(group.events) })
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#isClosed = true
    this.#detach()
    clearTimeout(this.#retry)
    this.#channels.closeAll()
    for (const resolve of [...this.#waiting]) resolve()
  }

  #add(event: MarketEvent): void {
    // Whatever is at or below the cursor was delivered before this event.
    noteCursor(event, this.#cursor)
    this.#kept.push(event)
    if (this.#kept.length > KEPT_MAX) this.#drop(DROPPED_AT_ONCE)
    // The events of a batch arrive in one turn of the event loop and are sent together at its end.
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => this.#send())
  }

  /** Sends new events, once the names of their tokens are known. */
  #send(): void {
    if (this.#isClosed) return
    const events = this.#kept.slice(this.#sentCount - this.#droppedCount)
    const missing = this.#channels.size === 0 ? [] : this.names.findMissing(events)
    if (missing.length > 0) {
      this.#sendNamed(missing)
      return
    }
    this.#isScheduled = false
    this.#sentCount = this.mark()
    if (this.#channels.size > 0) this.#channels.send(this.#shown(events), this.#cursor)
    this.#moveOn()
  }

  #sendNamed(missing: readonly number[]): void {
    this.names.load(missing).then(
      () => this.#send(),
      (error: unknown) => {
        this.#parts.log.warn({ err: error }, 'names of tokens could not be read, events wait')
        this.#retry = setTimeout(() => this.#send(), RETRY_NAMES_MS).unref()
      },
    )
  }

  #drop(count: number): void {
    if (count <= 0) return
    this.#kept.splice(0, count)
    this.#droppedCount += count
    if (this.#sentCount >= this.#droppedCount) return
    // Dropped before it was sent: subscribers are disconnected and resume from the journal.
    this.#sentCount = this.#droppedCount
    this.#channels.closeAll()
  }

  #shown(events: readonly MarketEvent[]): MarketEvent[] {
    return events.filter(({ tokenId }) => !this.#parts.feed.isHidden(tokenId))
  }
}
