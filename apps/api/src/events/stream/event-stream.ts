import type { Db } from '@papermoon/db'
import { systemTimers, type Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import { readBlocked } from '../../features/talk/blocked-players.ts'
import type { PlacedEvent, StreamEvent } from '../journal.ts'
import type { LiveFeed } from '../live-feed.ts'
import {
  Channels,
  type EventFilter,
  type EventGroup,
  isWanted,
  needsNames,
  type Subscriber,
  tokenOf,
} from './channels.ts'
import { type EventCursors, TokenNames } from './event-text.ts'

/** Max number of events in memory, about 30 MB. A listener that reconnects within seconds does not need the journal. */
const BUFFERED_MAX = 20_000
/** Number of old events that are dropped at once when there are too many. */
const DROPPED_AT_ONCE = 1_000
const RETRY_NAMES_MS = 250
/**
 * Min time between writes of posts in ms. Posts are collected between two writes, because each write to a thousand
 * watchers delays orders.
 */
const POSTS_EVERY_MS = 250

interface StreamParts {
  readonly db: Db
  /** Max number of events in memory (default: `BUFFERED_MAX`). */
  readonly bufferedMax?: number
  /** Timers of the stream. By default, the machine's timers. */
  readonly timers?: Timers
  readonly feed: Pick<LiveFeed, 'onPlaced' | 'isHidden' | 'position'>
  readonly cursors: EventCursors
  readonly log: Logger
}

/**
 * A new subscriber that has already received the first `receivedCount` events. Other subscribers may not have received
 * all of these events yet.
 */
interface Joiner {
  readonly filter: EventFilter
  readonly subscriber: Subscriber
  readonly receivedCount: number
  leave: (() => void) | null
}

/**
 * Sends the events of a market to listeners that can resume. The function `followEvents` takes each listener through
 * three phases:
 *
 * - Backfill: the listener reads the journal page by page, up to the first event in memory.
 * - Cutover: `readBuffered` returns the later events from memory. The listener gets the last event in memory and
 *   subscribes in the same turn of the event loop, so it misses no event.
 * - Live: all subscribers get new events in paced rounds. Each event has a cursor from which a listener can resume.
 *
 * A listener whose cursor is too old or belongs to another database gets a `gap`, or an error if it is strict
 * (`cursor_too_old`). A listener that reads too slowly is disconnected (`too_slow`). Disconnected listeners can connect
 * again.
 */
export class EventStream {
  readonly names: TokenNames
  readonly cursors: EventCursors
  readonly #parts: StreamParts
  readonly #channels: Channels
  readonly #detach: () => void
  /** Events in memory, in the order in which they are sent. */
  #buffered: PlacedEvent[] = []
  /** All events after this journal position are in memory. */
  #bufferedAfter: number
  /** Number of old events that were removed from memory. */
  #droppedCount = 0
  /** Number of events whose sending has started. */
  #takenCount = 0
  /** All subscribers have received all events up to this journal position. */
  #sent: number
  readonly #timers: Timers
  readonly #rounds: PacedRounds
  /** Subscribers that join in the next round. */
  readonly #joining = new Set<Joiner>()
  #isScheduled = false
  #cancelSend: (() => void) | undefined
  #isClosed = false
  /** Posts that wait for the next write. */
  #posts: PlacedEvent[] = []
  #cancelPosts: (() => void) | undefined

  constructor(parts: StreamParts) {
    const { timers = systemTimers, feed } = parts
    this.#parts = parts
    this.#timers = timers
    this.#rounds = new PacedRounds(timers)
    this.#bufferedAfter = feed.position
    this.#sent = feed.position
    this.cursors = parts.cursors
    this.names = new TokenNames(parts.db)
    this.#channels = new Channels(this.names, parts.cursors)
    this.#detach = feed.onPlaced((placed) => (placed.event.type === 'post' ? this.#addPost(placed) : this.#add(placed)))
  }

  /** The cursor from which a subscriber that has received everything can resume. */
  get cursor(): string {
    return this.cursors.format(this.#sent)
  }

  get subscribers(): number {
    return this.#channels.size + this.#joining.size
  }

  /**
   * Returns the events in memory after a journal position, at most `limit`. Returns null if some of the events are no
   * longer in memory; in that case, read the journal.
   */
  readBuffered(after: number, limit: number): (EventGroup & { readonly isLast: boolean }) | null {
    // Include the waiting posts, because a caller that gets the last events subscribes next.
    this.#endPostTimer()
    if (after < this.#bufferedAfter) return null
    const later = this.#buffered.filter(({ place }) => place > after).sort(byPlace)
    const events = later.slice(0, limit)
    const isLast = events.length === later.length
    return { events, through: (isLast ? null : events.at(-1)?.place) ?? this.#parts.feed.position, isLast }
  }

  /** Sends all later events to a subscriber. Returns a function that ends the subscriber's subscription. */
  subscribe(filter: EventFilter, subscriber: Subscriber): () => void {
    // Write the waiting posts now, because the subscriber must not get earlier posts.
    this.#endPostTimer()
    const joiner: Joiner = { filter, subscriber, receivedCount: this.#count, leave: null }
    if (joiner.receivedCount === this.#takenCount) return this.#channels.add(filter, subscriber)
    this.#joining.add(joiner)
    return () => {
      this.#joining.delete(joiner)
      joiner.leave?.()
    }
  }

  /**
   * Updates the lists of players whose posts a viewer must not see. If an older read ends after a newer one, the next
   * poll corrects the lists.
   */
  readBlocks(): Promise<void> {
    return readBlocked(this.#parts.db, this.#channels.viewers)
  }

  /** Returns the events that match the filter and are not hidden. */
  select(filter: EventFilter, events: readonly PlacedEvent[]): PlacedEvent[] {
    return this.#shown(events).filter(({ event }) => isWanted(event, filter, this.names))
  }

  /** Sends one subscriber those events of a group that match the filter and are not hidden. */
  sendTo(subscriber: Subscriber, filter: EventFilter, { events, through }: EventGroup): void {
    this.#channels.sendTo(subscriber, { events: this.select(filter, events), through })
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#isClosed = true
    this.#detach()
    this.#cancelSend?.()
    this.#cancelPosts?.()
    this.#closeAll()
  }

  /** Number of events that the stream received since its start. */
  get #count(): number {
    return this.#droppedCount + this.#buffered.length
  }

  #add(placed: PlacedEvent): void {
    this.#buffered.push(placed)
    if (this.#buffered.length > (this.#parts.bufferedMax ?? BUFFERED_MAX)) this.#drop(DROPPED_AT_ONCE)
    this.#schedule()
  }

  #addPost(post: PlacedEvent): void {
    if (this.#cancelPosts !== undefined) {
      this.#posts.push(post)
      return
    }
    this.#add(post)
    this.#startPostTimer()
  }

  #startPostTimer(): void {
    this.#cancelPosts = this.#timers.after(POSTS_EVERY_MS, () => this.#endPostTimer())
  }

  #endPostTimer(): void {
    this.#cancelPosts?.()
    this.#cancelPosts = undefined
    const posts = this.#posts.splice(0)
    for (const post of posts) this.#add(post)
    if (posts.length > 0) this.#startPostTimer()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#cancelSend = this.#rounds.schedule(() => this.#send())
  }

  /** Sends new events in a round, after loading the names of the events' tokens. */
  #send(): void {
    if (this.#isClosed) return
    const events = this.#buffered.slice(this.#takenCount - this.#droppedCount).sort(byPlace)
    const joining = [...this.#joining]
    const isNamed = this.#channels.needsNames || joining.some((it) => needsNames(it.filter, it.subscriber.format))
    // Call `findMissing` for all events, because it also caches the names in launch events.
    const missing = this.names.findMissing(events.map(({ event }) => event))
    if (isNamed && missing.length > 0) {
      this.#sendNamed(missing)
      return
    }
    // The cursor must not pass a post that is still waiting.
    const [held] = this.#posts
    const through = held === undefined ? this.#parts.feed.position : held.place - 1
    this.#takenCount = this.#count
    this.#hideTokens(events)
    const { writes, count } = this.#channels.send({ events: this.#shown(events), through })
    this.#letJoin(through)
    const isSpread = events.every(({ event }) => event.type === 'post')
    this.#rounds.run(writes, count, () => this.#endRound(through), { isSpread })
  }

  #hideTokens(events: readonly PlacedEvent[]): void {
    for (const tokenId of new Set(events.map(({ event }) => tokenOf(event)))) {
      if (this.#parts.feed.isHidden(tokenId)) this.#channels.hide(tokenId)
    }
  }

  /**
   * Sends new subscribers those events of this round that they missed. New subscribers receive later rounds like all
   * other subscribers.
   */
  #letJoin(through: number): void {
    for (const joiner of this.#joining) {
      const { filter, subscriber, receivedCount } = joiner
      const events = this.#buffered.slice(Math.max(0, receivedCount - this.#droppedCount)).sort(byPlace)
      this.sendTo(subscriber, filter, { events, through })
      joiner.leave = this.#channels.add(filter, subscriber)
    }
    this.#joining.clear()
  }

  #endRound(through: number): void {
    this.#isScheduled = false
    this.#sent = Math.max(this.#sent, through)
    if (!this.#isClosed && this.#count > this.#takenCount) this.#schedule()
  }

  #sendNamed(missing: readonly number[]): void {
    this.names.load(missing).then(
      () => this.#send(),
      (error: unknown) => {
        this.#parts.log.warn({ err: error }, 'names of tokens could not be read, events wait')
        this.#cancelSend = this.#timers.after(RETRY_NAMES_MS, () => this.#send())
      },
    )
  }

  #drop(count: number): void {
    const dropped = this.#buffered.splice(0, count)
    this.#bufferedAfter = Math.max(this.#bufferedAfter, ...dropped.map(({ place }) => place))
    this.#droppedCount += count
    if (this.#takenCount >= this.#droppedCount) return
    // Some events were dropped before they were sent, so all subscribers must reconnect.
    this.#takenCount = this.#droppedCount
    this.#closeAll('too_slow')
  }

  #closeAll(reason?: 'too_slow'): void {
    this.#channels.closeAll(reason)
    for (const { subscriber } of [...this.#joining]) subscriber.close(reason)
  }

  #shown(events: readonly PlacedEvent[]): PlacedEvent[] {
    return events.filter(({ event }) => isShown(event, this.#parts.feed))
  }
}

/** Show events of orders for hidden tokens, because holders can still sell these tokens. */
function isShown(event: StreamEvent, feed: Pick<LiveFeed, 'isHidden'>): boolean {
  return event.type === 'order' || !feed.isHidden(tokenOf(event))
}

function byPlace(a: PlacedEvent, b: PlacedEvent): number {
  return a.place - b.place
}

/**
 * Max number of subscribers that are written to in one step. Each write takes about 10 µs. With many subscribers, steps
 * are larger, because a round has at most `stepsMax` steps.
 */
const TOGETHER_MAX = 64
/** Max time in ms by which a pause may delay an event. */
const REST_MAX_MS = 250

/** Max number of steps per round, and how many times longer than its steps the pause after a round is. */
interface Pace {
  readonly stepsMax: number
  readonly restFactor: number
}

/**
 * The pace for sending trades. With the pace `SPREAD`, watchers would get half as many events per second (`npm run
 * bench -- fanout`).
 */
const PROMPT: Pace = { stepsMax: 8, restFactor: 1 }
/** The pace for sending posts, which can wait. */
const SPREAD: Pace = { stepsMax: 32, restFactor: 4 }

/**
 * Writes to subscribers in rounds of a few steps, each in its own turn of the event loop. If a round did not return to
 * the event loop, a few thousand watchers of a token would delay its orders. A subscriber gets all new events of a
 * round in one write.
 */
export class PacedRounds {
  readonly #timers: Timers
  #restsUntilMs = 0

  constructor(timers = systemTimers) {
    this.#timers = timers
  }

  /**
   * Calls `start` at the end of this turn of the event loop, or after the pause. Returns a function that cancels the
   * call if it is still pausing.
   */
  schedule(start: () => void): (() => void) | undefined {
    const restMs = this.#restsUntilMs - this.#timers.monotonic()
    if (restMs > 0) return this.#timers.after(restMs, start)
    // All events of a batch arrive in one turn of the event loop, so wait for its end and send them in one round.
    queueMicrotask(start)
    return undefined
  }

  /**
   * Writes to `count` subscribers, one per step of `writes`, then calls `end`. If `isSpread` is true, pauses between
   * the steps, because the events can wait.
   */
  run(writes: Iterator<void>, count: number, end: () => void, { isSpread = false } = {}): void {
    const { stepsMax, restFactor } = isSpread ? SPREAD : PROMPT
    const together = Math.max(TOGETHER_MAX, Math.ceil(count / stepsMax))
    const restMaxMs = isSpread ? (REST_MAX_MS * together) / Math.max(count, together) : REST_MAX_MS
    let busyMs = 0
    const step = () => {
      const startedMs = this.#timers.monotonic()
      let isOver = false
      for (let written = 0; written < together && !isOver; written++) isOver = writes.next().done === true
      const nowMs = this.#timers.monotonic()
      busyMs = nowMs - startedMs + (isSpread ? 0 : busyMs)
      const restMs = Math.min(restFactor * busyMs, restMaxMs)
      if (!isOver) return isSpread ? this.#timers.after(restMs, step) : setImmediate(step)
      this.#restsUntilMs = nowMs + restMs
      end()
    }
    step()
  }
}
