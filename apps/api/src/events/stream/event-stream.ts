import type { Db } from '@papermoon/db'
import { systemTimers, type Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import { readBlocked } from '../../talk/blocked-players.ts'
import type { StreamEvent } from '../journal.ts'
import type { LiveFeed } from '../live-feed.ts'
import { Channels, type EventGroup, needsNames, type Subscriber } from './channels.ts'
import type { EventCursors, JournalPosition } from './event-cursors.ts'
import { type EventFilter, tokenOf } from './event-filter.ts'
import { PacedRounds } from './paced-rounds.ts'
import { TokenNames } from './token-names.ts'

/** More than the few seconds until events are settled, at any rate of trades: at most about 30 MB. */
const KEPT_MAX = 20_000
/** How many of the oldest events go at once when there are too many. */
const DROPPED_AT_ONCE = 1_000
const RETRY_NAMES_MS = 250
/** Posts that come sooner after one another go out together: a write to each of a thousand watchers holds up orders. */
const POSTS_EVERY_MS = 250

interface StreamParts {
  readonly db: Db
  /** How many events memory keeps. Default: `KEPT_MAX`. */
  readonly keptMax?: number
  /** Default: the machine's. */
  readonly timers?: Timers
  readonly feed: Pick<LiveFeed, 'onEvent' | 'onPost' | 'onOrder' | 'isHidden' | 'getSeq'>
  readonly cursors: EventCursors
  readonly log: Logger
}

/** A settled place, and the number of events that were delivered before anything above it. */
interface Settled {
  readonly position: JournalPosition
  readonly mark: number
}

/** A subscriber that is ahead: it has had all events before the mark, and others have not. */
interface Joiner {
  readonly filter: EventFilter
  readonly subscriber: Subscriber
  readonly mark: number
  leave: (() => void) | null
}

/** Some of the events that are kept in memory. */
export interface KeptEvents {
  readonly events: readonly StreamEvent[]
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
 * settled: a listener that has got everything so far may resume there. The place moves on each second
 * (`journal.ts`). Events delivered since the last settled place are kept: a resuming listener reads the journal up
 * to that place, gets the kept events, and has missed nothing.
 */
export class EventStream {
  readonly names: TokenNames
  readonly cursors: EventCursors
  readonly #parts: StreamParts
  readonly #channels: Channels
  readonly #detach: (() => void)[]
  #kept: StreamEvent[] = []
  /** The number of events that came before the first kept one. */
  #droppedCount = 0
  /** The number of events that rounds have begun to send. */
  #takenCount = 0
  /** The number of events that all subscribers were sent. */
  #sentCount = 0
  readonly #timers: Timers
  readonly #rounds: PacedRounds
  /** They take part from the next round on. */
  readonly #joining = new Set<Joiner>()
  #settled: Settled | null = null
  /** When the settled place was taken, or this stream was made; monotonic. */
  #settledMs: number
  /** A settled place, and the number of events that must be sent before it is taken. */
  #next: (Settled & { readonly delivered: number }) | null = null
  #cursor = ''
  #isScheduled = false
  #cancelSend: (() => void) | undefined
  #isClosed = false
  /** Posts that wait for the end of the timer. */
  #posts: StreamEvent[] = []
  #cancelPosts: (() => void) | undefined
  readonly #waiting = new Set<() => void>()

  constructor(parts: StreamParts) {
    const { timers = systemTimers } = parts
    this.#parts = parts
    this.#timers = timers
    this.#settledMs = timers.monotonic()
    this.#rounds = new PacedRounds(timers)
    this.cursors = parts.cursors
    this.names = new TokenNames(parts.db)
    this.#channels = new Channels(this.names)
    const add = (event: StreamEvent) => this.add(event)
    const addPost = (post: StreamEvent) => this.#addPost(post)
    this.#detach = [parts.feed.onEvent(add), parts.feed.onPost(addPost), parts.feed.onOrder(add)]
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
    return (this.#timers.monotonic() - this.#settledMs) / 1_000
  }

  get subscribers(): number {
    return this.#channels.size + this.#joining.size
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
    // A cursor must not cover a post that was not sent.
    this.#endPostTimer()
    // One that waits stays: with long rounds newer ones would put it off for ever.
    this.#next ??= { position: { entry, tokenId }, mark, delivered: this.mark() }
    this.#moveOn()
  }

  /** Takes the next settled place once everything below it was sent: an event's cursor must not cover a later event. */
  #moveOn(): void {
    const next = this.#next
    if (next === null || next.delivered > this.#sentCount) return
    this.#next = null
    // A listener that is still reading the kept events has until the place after this one.
    this.#drop(this.settledMark - this.#droppedCount)
    this.#settled = next
    this.#settledMs = this.#timers.monotonic()
    this.#cursor = this.cursors.format(next.position)
    if (this.position !== null) for (const resolve of [...this.#waiting]) resolve()
  }

  /** The number of events before anything above the settled place; 0 before the first. */
  get settledMark(): number {
    return this.#settled?.mark ?? 0
  }

  /** Events after the first `mark`, at most `limit`. Null where some are not kept any more: the journal has them. */
  readKept(mark: number, limit: number): KeptEvents | null {
    // Who reads the last ones subscribes at once, from after all that was posted by then.
    this.#endPostTimer()
    const start = mark - this.#droppedCount
    if (start < 0) return null
    const events = this.#kept.slice(start, start + limit)
    return { events, next: mark + events.length, isLast: mark + events.length >= this.mark() }
  }

  /** A token's events after `seq`. Null where some are not kept any more. */
  readKeptOfToken(tokenId: number, seq: number): readonly StreamEvent[] | null {
    const last = this.#parts.feed.getSeq(tokenId)
    if (last <= seq) return []
    const events = this.#kept.filter((event) => 'seq' in event && event.tokenId === tokenId && event.seq > seq)
    return events.length === last - seq ? events : null
  }

  /** Sends what happens from now on. Returns the function that ends it. */
  subscribe(filter: EventFilter, subscriber: Subscriber): () => void {
    // Posts of before now are not for it.
    this.#endPostTimer()
    const joiner: Joiner = { filter, subscriber, mark: this.mark(), leave: null }
    if (joiner.mark === this.#takenCount) return this.#channels.add(filter, subscriber)
    this.#joining.add(joiner)
    return () => {
      this.#joining.delete(joiner)
      joiner.leave?.()
    }
  }

  /** Reads again whose posts each viewer must not see. If two reads end in the wrong order, the next poll corrects it. */
  readBlocks(): Promise<void> {
    return readBlocked(this.#parts.db, this.#channels.viewers)
  }

  /** Sends the events of a group that pass the filter, and are not hidden, to one subscriber. */
  sendTo(subscriber: Subscriber, filter: EventFilter, group: EventGroup): void {
    this.#channels.sendTo(subscriber, filter, { ...group, events: this.#shown(group.events) })
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#isClosed = true
    for (const detach of this.#detach) detach()
    this.#cancelSend?.()
    this.#cancelPosts?.()
    this.#closeAll()
    for (const resolve of [...this.#waiting]) resolve()
  }

  /** Takes an event: those of tokens come by the feed. */
  add(event: StreamEvent): void {
    this.#kept.push(event)
    if (this.#kept.length > (this.#parts.keptMax ?? KEPT_MAX)) this.#drop(DROPPED_AT_ONCE)
    this.#schedule()
  }

  #addPost(post: StreamEvent): void {
    if (this.#cancelPosts !== undefined) {
      this.#posts.push(post)
      return
    }
    this.add(post)
    this.#startPostTimer()
  }

  #startPostTimer(): void {
    this.#cancelPosts = this.#timers.after(POSTS_EVERY_MS, () => this.#endPostTimer())
  }

  #endPostTimer(): void {
    this.#cancelPosts?.()
    this.#cancelPosts = undefined
    const posts = this.#posts.splice(0)
    for (const post of posts) this.add(post)
    if (posts.length > 0) this.#startPostTimer()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#cancelSend = this.#rounds.schedule(() => this.#send())
  }

  /** Sends new events in a round, once the names of their tokens are known. */
  #send(): void {
    if (this.#isClosed) return
    const events = this.#kept.slice(this.#takenCount - this.#droppedCount)
    const joining = [...this.#joining]
    const isNamed = this.#channels.needsNames || joining.some((it) => needsNames(it.filter, it.subscriber.format))
    // Looked for in any case, since launches bring names along.
    const missing = this.names.findMissing(events)
    if (isNamed && missing.length > 0) {
      this.#sendNamed(missing)
      return
    }
    const end = this.mark()
    this.#takenCount = end
    this.#hideTokens(events)
    const { writes, count } = this.#channels.send(this.#shown(events), this.#cursor)
    this.#letJoin()
    const isSpread = events.every(({ type }) => type === 'post')
    this.#rounds.run(writes, count, () => this.#endRound(end), { isSpread })
  }

  #hideTokens(events: readonly StreamEvent[]): void {
    for (const tokenId of new Set(events.map(tokenOf))) {
      if (this.#parts.feed.isHidden(tokenId)) this.#channels.hide(tokenId)
    }
  }

  /** Joiners get what they lack of the present round; from the next one on they get what others get. */
  #letJoin(): void {
    for (const joiner of this.#joining) {
      const { filter, subscriber, mark } = joiner
      this.sendTo(subscriber, filter, {
        events: this.#kept.slice(Math.max(0, mark - this.#droppedCount)),
        cursor: this.#cursor,
      })
      joiner.leave = this.#channels.add(filter, subscriber)
    }
    this.#joining.clear()
  }

  #endRound(end: number): void {
    this.#isScheduled = false
    this.#sentCount = Math.max(end, this.#droppedCount)
    if (this.#isClosed) return
    this.#moveOn()
    if (this.mark() > this.#takenCount) this.#schedule()
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
    if (count <= 0) return
    this.#kept.splice(0, count)
    this.#droppedCount += count
    if (this.#takenCount >= this.#droppedCount) return
    // Dropped before it was sent: subscribers are disconnected and resume from the journal.
    this.#takenCount = this.#droppedCount
    this.#closeAll()
  }

  #closeAll(): void {
    this.#channels.closeAll()
    for (const { subscriber } of [...this.#joining]) subscriber.close()
  }

  #shown(events: readonly StreamEvent[]): StreamEvent[] {
    // A holder may sell a hidden token, and is told of it.
    return events.filter((event) => event.type === 'order' || !this.#parts.feed.isHidden(tokenOf(event)))
  }
}
