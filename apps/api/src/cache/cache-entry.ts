import type { MarketEvent } from '@papermoon/engine'
import type { PatchResult } from '@papermoon/live'
import type { EventLog } from './event-log.ts'

interface Parts<T> {
  /** The events that concern the reading; null when none do. */
  readonly log: EventLog | null
  /** The reading after events, in their order, some of which it may know already. */
  applyEvents(value: T, events: readonly MarketEvent[]): PatchResult<T>
  /** Whether what was read at `atMs` is still right at `nowMs` as far as no event tells. */
  isFresh(atMs: number, nowMs: number, value: T): boolean
}

/** A moment in the life of a reading: how many events there had been, and how often it had been told to forget. */
interface Moment {
  readonly count: number
  readonly epoch: number
}

interface Known<T> extends Moment {
  readonly value: T
  readonly atMs: number
}

/** A value and when it was read, in ms. */
type Dated<T> = Pick<Known<T>, 'value' | 'atMs'>

interface UnderWay<T> extends Moment {
  readonly read: Promise<Known<T>>
}

/** At once: one, and one that was given up and has not ended yet. */
const READS_MAX = 2

/**
 * A reading of the database that callers share and that events keep fresh: nobody gets one that lacks an event which
 * had arrived when they asked. It is caught up when somebody asks, so one that nobody wants costs nothing.
 */
export class CacheEntry<T> {
  readonly #parts: Parts<T>
  #known: Known<T> | null = null
  /** What was known last, right or not any more. */
  #last: Dated<T> | null = null
  #underWay: UnderWay<T> | null = null
  #epoch = 0
  #begun = 0
  #ended = 0
  /** Which of those begun was kept last. */
  #kept = 0
  #isClosed = false

  constructor(parts: Parts<T>) {
    this.#parts = parts
  }

  /**
   * What is known at `nowMs` if it can be caught up and is still good, else a new reading by `read`, one for all who wait.
   * Throws what the read throws that began after the caller asked.
   */
  async get(nowMs: number, read: () => Promise<T>): Promise<T> {
    const wanted = this.#now()
    const isGood = (known: Known<T> | null): known is Known<T> =>
      known !== null && !isBefore(known, wanted) && this.#parts.isFresh(known.atMs, nowMs, known.value)
    const before = this.#caughtUp()
    if (isGood(before)) return before.value
    const earlier = this.#underWay
    if (earlier !== null) {
      // Who waits for a reading that began too early waits for one more, however fast events arrive, and shares it.
      const found = await earlier.read.catch((error: unknown) => {
        if (!isBefore(earlier, wanted)) throw error
        return null
      })
      const after = this.#caughtUp()
      if (isGood(after)) return after.value
      if (isGood(found)) return found.value
    }
    const found = await (this.#underWay ?? this.#readAnew(nowMs, read)).read
    return (this.#caughtUp() ?? found).value
  }

  /** What is known at `nowMs`, caught up, if it is still good; null if it has to be read. */
  peek(nowMs: number): T | null {
    const known = this.#caughtUp()
    if (known === null || isBefore(known, this.#now())) return null
    return this.#parts.isFresh(known.atMs, nowMs, known.value) ? known.value : null
  }

  /**
   * What was known last, caught up as far as events told: for who would else get nothing. It may lack what happened since;
   * null if nothing was ever known.
   */
  getLast(): Dated<T> | null {
    this.#caughtUp()
    return this.#last
  }

  /** What stands for the read under way; null where there is none. */
  get pending(): object | null {
    return this.#underWay
  }

  /** Whether something has happened that the read under way began too early to tell of. */
  isPendingOutdated(): boolean {
    return this.#underWay !== null && isBefore(this.#underWay, this.#now())
  }

  /**
   * The next caller does not wait for the read under way, which may never be answered, but begins another; what it still
   * answers is taken unless the other was sooner. False where one was given up that has not ended yet.
   */
  abandonPending(): boolean {
    if (this.#begun - this.#ended >= READS_MAX) return false
    this.#underWay = null
    return true
  }

  /** Forgets what is known, and what is being read: the next caller gets a reading that begins after this. */
  invalidate(): void {
    this.#epoch++
    this.#known = null
  }

  /** Knows nothing from now on. */
  close(): void {
    this.#isClosed = true
    this.#known = null
    this.#last = null
  }

  #now(): Moment {
    return { count: this.#parts.log?.count ?? 0, epoch: this.#epoch }
  }

  /** What is known as of now; null when events tell too little, or there were too many. */
  #caughtUp(): Known<T> | null {
    const { log, applyEvents } = this.#parts
    const known = this.#known
    if (known === null || log === null || known.count === log.count) return known
    const events = log.since(known.count)
    const caught = events === null ? null : applyEvents(known.value, events)
    if (caught !== null) this.#last = { value: caught.data, atMs: known.atMs }
    this.#known = caught === null || caught.stale ? null : { ...known, value: caught.data, count: log.count }
    return this.#known
  }

  #readAnew(nowMs: number, read: () => Promise<T>): UnderWay<T> {
    const began = this.#now()
    const turn = ++this.#begun
    const keep = (value: T): Known<T> => {
      const known = { value, atMs: nowMs, ...began }
      if (this.#isClosed || turn < this.#kept) return known
      this.#kept = turn
      this.#last = known
      if (this.#epoch === began.epoch) this.#known = known
      return known
    }
    const underWay = {
      ...began,
      read: read()
        .then(keep)
        .finally(() => {
          this.#ended++
          if (this.#underWay === underWay) this.#underWay = null
        }),
    }
    this.#underWay = underWay
    return underWay
  }
}

function isBefore(one: Moment, other: Moment): boolean {
  return one.count < other.count || one.epoch < other.epoch
}
