import type { Db } from '@papermoon/db'
import { systemTimers, type Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import { readBlocked } from '../../features/talk/blocked-players.ts'
import type { PlacedEvent, StreamEvent } from '../journal.ts'
import type { LiveFeed } from '../live-feed.ts'
import { Channels, type EventGroup, needsNames, type Subscriber } from './channels.ts'
import type { EventCursors } from './event-cursors.ts'
import { type EventFilter, isWanted, tokenOf } from './event-filter.ts'
import { PacedRounds } from './paced-rounds.ts'
import { TokenNames } from './token-names.ts'

/** Who reconnects within seconds gets what was missed from memory, at any rate of trades: at most about 30 MB. */
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
  readonly feed: Pick<LiveFeed, 'onPlaced' | 'isHidden' | 'position'>
  readonly cursors: EventCursors
  readonly log: Logger
}

/** A new subscriber that already has the events before `mark`, which others are still being sent. */
interface Joiner {
  readonly filter: EventFilter
  readonly subscriber: Subscriber
  readonly mark: number
  leave: (() => void) | null
}

/**
 * The events of the whole market for listeners that may resume. `followEvents` takes a listener through three phases:
 *
 * 1. **Backfill.** It reads the journal, page by page, from the listener's position to those that are kept here.
 * 2. **Cutover.** `readKept` returns the events after a position from memory. With the last of them, in the same turn of the event
 *    loop, the listener subscribes.
 * 3. **Live.** All subscribers get new events in paced rounds. Each event has a cursor: everything up to there was sent.
 *
 * It ends for a listener whose cursor is too old, or of another database (`cursor_too_old`: a `gap`, or an error where the caller
 * wants no gaps), and for one that does not read as fast as events come (`too_slow`). Both may connect again.
 */
export class EventStream {
  readonly names: TokenNames
  readonly cursors: EventCursors
  readonly #parts: StreamParts
  readonly #channels: Channels
  readonly #detach: () => void
  /** In the order in which they are sent. */
  #kept: PlacedEvent[] = []
  /** Every later event is kept. */
  #keptAfter: number
  /** The number of events that came before the first kept one. */
  #droppedCount = 0
  /** The number of events that rounds have begun to send. */
  #takenCount = 0
  /** All subscribers were sent everything up to this position. */
  #sent: number
  readonly #timers: Timers
  readonly #rounds: PacedRounds
  /** They take part from the next round on. */
  readonly #joining = new Set<Joiner>()
  #isScheduled = false
  #cancelSend: (() => void) | undefined
  #isClosed = false
  /** Posts that wait for the end of the timer. */
  #posts: PlacedEvent[] = []
  #cancelPosts: (() => void) | undefined

  constructor(parts: StreamParts) {
    const { timers = systemTimers, feed } = parts
    this.#parts = parts
    this.#timers = timers
    this.#rounds = new PacedRounds(timers)
    this.#keptAfter = feed.position
    this.#sent = feed.position
    this.cursors = parts.cursors
    this.names = new TokenNames(parts.db)
    this.#channels = new Channels(this.names, parts.cursors)
    this.#detach = feed.onPlaced((placed) => (placed.event.type === 'post' ? this.#addPost(placed) : this.#add(placed)))
  }

  /** Where a subscriber that was sent everything may resume. */
  get cursor(): string {
    return this.cursors.format(this.#sent)
  }

  get subscribers(): number {
    return this.#channels.size + this.#joining.size
  }

  /** Events after a position, at most `limit`. Null where some are not kept any more: the journal has them. */
  readKept(after: number, limit: number): (EventGroup & { readonly isLast: boolean }) | null {
    // Who reads the last ones subscribes at once, from after all that was posted by then.
    this.#endPostTimer()
    if (after < this.#keptAfter) return null
    const later = this.#kept.filter(({ place }) => place > after).sort(byPlace)
    const events = later.slice(0, limit)
    const isLast = events.length === later.length
    return { events, through: (isLast ? null : events.at(-1)?.place) ?? this.#parts.feed.position, isLast }
  }

  /** Sends what happens from now on. Returns the function that ends it. */
  subscribe(filter: EventFilter, subscriber: Subscriber): () => void {
    // Posts of before now are not for it.
    this.#endPostTimer()
    const joiner: Joiner = { filter, subscriber, mark: this.#count, leave: null }
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

  /** The events that pass the filter and are not hidden. */
  select(filter: EventFilter, events: readonly PlacedEvent[]): PlacedEvent[] {
    return this.#shown(events).filter(({ event }) => isWanted(event, filter, this.names))
  }

  /** Sends the events of a group that pass the filter, and are not hidden, to one subscriber. */
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

  /** The number of events so far. */
  get #count(): number {
    return this.#droppedCount + this.#kept.length
  }

  #add(placed: PlacedEvent): void {
    this.#kept.push(placed)
    if (this.#kept.length > (this.#parts.keptMax ?? KEPT_MAX)) this.#drop(DROPPED_AT_ONCE)
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

  /** Sends new events in a round, once the names of their tokens are known. */
  #send(): void {
    if (this.#isClosed) return
    const events = this.#kept.slice(this.#takenCount - this.#droppedCount).sort(byPlace)
    const joining = [...this.#joining]
    const isNamed = this.#channels.needsNames || joining.some((it) => needsNames(it.filter, it.subscriber.format))
    // Looked for in any case, since launches bring names along.
    const missing = this.names.findMissing(events.map(({ event }) => event))
    if (isNamed && missing.length > 0) {
      this.#sendNamed(missing)
      return
    }
    // A cursor must not cover a post that waits.
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

  /** Sends new subscribers what they missed of this round; from the next one on they get what others get. */
  #letJoin(through: number): void {
    for (const joiner of this.#joining) {
      const { filter, subscriber, mark } = joiner
      const events = this.#kept.slice(Math.max(0, mark - this.#droppedCount)).sort(byPlace)
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
    const dropped = this.#kept.splice(0, count)
    this.#keptAfter = Math.max(this.#keptAfter, ...dropped.map(({ place }) => place))
    this.#droppedCount += count
    if (this.#takenCount >= this.#droppedCount) return
    // Dropped before it was sent.
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

/** A holder may sell a hidden token, and is told of it. */
function isShown(event: StreamEvent, feed: Pick<LiveFeed, 'isHidden'>): boolean {
  return event.type === 'order' || !feed.isHidden(tokenOf(event))
}

function byPlace(a: PlacedEvent, b: PlacedEvent): number {
  return a.place - b.place
}
