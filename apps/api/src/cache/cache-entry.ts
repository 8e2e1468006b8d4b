import type { MarketEvent } from '@papermoon/engine'
import type { PatchResult } from '@papermoon/live'

const texts = new WeakMap<object, string>()
const bytes = new WeakMap<object, Buffer>()

/**
 * Returns a value as JSON. The JSON text of a frozen value is cached. The JSON text of a frozen list is joined from its
 * items' texts, so only items that changed are serialized again.
 */
export function jsonText(value: unknown): string {
  if (!isFrozen(value)) return JSON.stringify(value)
  const cached = texts.get(value)
  if (cached !== undefined) return cached
  const text = Array.isArray(value) ? `[${value.map(jsonText).join(',')}]` : JSON.stringify(value)
  texts.set(value, text)
  return text
}

/**
 * Min length in characters of texts that Node sends as bytes. Node sends shorter strings together with the headers in
 * one packet.
 */
const BYTES_FROM = 8_192

/** Returns a value as JSON in the form that is sent fastest: long texts of frozen values as bytes, encoded once. */
export function jsonBody(value: unknown): Buffer | string {
  if (!isFrozen(value)) return JSON.stringify(value)
  const cached = bytes.get(value)
  if (cached !== undefined) return cached
  const text = jsonText(value)
  if (text.length < BYTES_FROM) return text
  const encoded = Buffer.from(text)
  bytes.set(value, encoded)
  return encoded
}

/** Returns whether a value came from the query cache, because only shared plain JSON is frozen. */
export function isFrozen(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}

/**
 * Max number of stored events. When more events have arrived, reading the value again is cheaper than applying them.
 */
const EVENTS_MAX = 512

/**
 * A ring buffer with the last events of a token or of the market. All cached queries that these events affect share the
 * buffer.
 */
export class EventLog {
  readonly #ring: MarketEvent[] = []
  #count = 0

  /** Number of events since the log was created. */
  get count(): number {
    return this.#count
  }

  /** A bound method, so that it can be passed to a feed as a listener. */
  readonly add = (event: MarketEvent): void => {
    this.#ring[this.#count % EVENTS_MAX] = event
    this.#count++
  }

  /** Returns the events after the first `count`, in order, or null if some of those events were overwritten. */
  since(count: number): readonly MarketEvent[] | null {
    if (this.#count - count > EVENTS_MAX) return null
    const start = count % EVENTS_MAX
    const end = this.#count % EVENTS_MAX
    if (count === this.#count) return []
    return start < end ? this.#ring.slice(start, end) : [...this.#ring.slice(start), ...this.#ring.slice(0, end)]
  }
}

interface CacheEntryOptions<T> {
  /** The events that can affect the query; null if no event can. */
  readonly log: EventLog | null
  /** Applies events in order. `value` may already include some of them. */
  applyEvents(value: T, events: readonly MarketEvent[]): PatchResult<T>
  /** Returns whether a value read at `atMs` is recent enough at `nowMs`. Events do not matter here. */
  isFresh(atMs: number, nowMs: number, value: T): boolean
}

/**
 * Number of events and invalidations when a value's read began. The value that is read includes all of these events.
 */
interface Version {
  readonly eventCount: number
  readonly epoch: number
}

/** A value, and the time in ms at which it was read. */
interface DatedValue<T> {
  readonly value: T
  readonly atMs: number
}

interface ReadResult<T> extends DatedValue<T>, Version {
  /** Sequence number of the read. A result never replaces the result of a later read. */
  readonly turn: number
}

/**
 * A cached value that is `current` can be updated with events. A cached value that is `outdated` is only a fallback. A
 * `closed` cache entry stores nothing.
 */
type State<T> =
  | { readonly kind: 'empty' | 'closed' }
  | { readonly kind: 'current' | 'outdated'; readonly result: ReadResult<T> }

interface PendingRead<T> extends Version {
  readonly result: Promise<ReadResult<T>>
}

/** Max number of concurrent reads: one pending and one abandoned read. */
const READS_MAX = 2

/**
 * One cached query result, which all callers share and events keep up to date. Every caller's value includes all events
 * that arrived before the call. Events are applied on access, so an unused entry costs nothing.
 */
export class CacheEntry<T> {
  readonly #options: CacheEntryOptions<T>
  #state: State<T> = { kind: 'empty' }
  #pending: PendingRead<T> | null = null
  #epoch = 0
  #startedReads = 0
  #runningReads = 0

  constructor(options: CacheEntryOptions<T>) {
    this.#options = options
  }

  /**
   * Returns the cached value if it is fresh at `nowMs`, otherwise the result of `read`, which all waiting callers
   * share. Throws the error of a read that began after this call.
   */
  async get(nowMs: number, read: () => Promise<T>): Promise<T> {
    const wanted = this.#version()
    const cached = this.#update()
    if (this.#isUsable(cached, wanted, nowMs)) return cached.value
    const earlier = this.#pending
    if (earlier !== null) {
      // The pending read may have begun before the last event. In that case, wait for one more read, and share its
      // result with all waiting callers.
      const found = await earlier.result.catch((error: unknown) => {
        if (!isBefore(earlier, wanted)) throw error
        return null
      })
      const updated = this.#update()
      if (this.#isUsable(updated, wanted, nowMs)) return updated.value
      if (this.#isUsable(found, wanted, nowMs)) return found.value
    }
    const found = await (this.#pending ?? this.#startRead(nowMs, read)).result
    return (this.#update() ?? found).value
  }

  /**
   * Returns the value with all events applied if it is fresh at `nowMs`, otherwise null. Never reads from the database.
   */
  peek(nowMs: number): T | null {
    const current = this.#update()
    return this.#isUsable(current, this.#version(), nowMs) ? current.value : null
  }

  /**
   * Returns the last value that was read, fresh or not, as a fallback. Returns null before the first read and after
   * `close`.
   */
  getLast(): DatedValue<T> | null {
    this.#update()
    return 'result' in this.#state ? this.#state.result : null
  }

  /** Identifies the pending read; null when no read is pending. */
  get pending(): object | null {
    return this.#pending
  }

  /** Returns whether an event or invalidation arrived after the pending read began. */
  isPendingOutdated(): boolean {
    return this.#pending !== null && isBefore(this.#pending, this.#version())
  }

  /**
   * Lets the next caller start another read instead of waiting for the pending one. If the pending read ends first, its
   * result is still used. Returns false while an earlier abandoned read is still running.
   */
  abandonPending(): boolean {
    if (this.#runningReads >= READS_MAX) return false
    this.#pending = null
    return true
  }

  /** Makes the next caller wait for a new read. The old value stays as a fallback. */
  invalidate(): void {
    this.#epoch++
    this.#outdate()
  }

  /** Drops the cached value. After this call, results of pending reads are not stored. */
  close(): void {
    this.#state = { kind: 'closed' }
  }

  #version(): Version {
    return { eventCount: this.#options.log?.count ?? 0, epoch: this.#epoch }
  }

  #isUsable(result: ReadResult<T> | null, wanted: Version, nowMs: number): result is ReadResult<T> {
    return result !== null && !isBefore(result, wanted) && this.#options.isFresh(result.atMs, nowMs, result.value)
  }

  /**
   * Applies new events to the cached value. Returns null if there is no cached value, if there were too many events, or
   * if an event lacked data.
   */
  #update(): ReadResult<T> | null {
    const { log, applyEvents } = this.#options
    if (this.#state.kind !== 'current') return null
    const { result } = this.#state
    if (log === null || result.eventCount === log.count) return result
    const events = log.since(result.eventCount)
    if (events === null) return this.#outdate()
    const { data, stale } = applyEvents(result.value, events)
    const updated = { ...result, value: data, eventCount: log.count }
    this.#state = { kind: stale ? 'outdated' : 'current', result: updated }
    return stale ? null : updated
  }

  #outdate(): null {
    if (this.#state.kind === 'current') this.#state = { kind: 'outdated', result: this.#state.result }
    return null
  }

  #startRead(nowMs: number, read: () => Promise<T>): PendingRead<T> {
    const version = this.#version()
    const turn = ++this.#startedReads
    this.#runningReads++
    const pending: PendingRead<T> = {
      ...version,
      result: read()
        .then((value) => this.#store({ value, atMs: nowMs, turn, ...version }))
        .finally(() => {
          this.#runningReads--
          if (this.#pending === pending) this.#pending = null
        }),
    }
    this.#pending = pending
    return pending
  }

  #store(result: ReadResult<T>): ReadResult<T> {
    const isLate = 'result' in this.#state && result.turn < this.#state.result.turn
    if (this.#state.kind !== 'closed' && !isLate) {
      this.#state = { kind: result.epoch === this.#epoch ? 'current' : 'outdated', result }
    }
    return result
  }
}

function isBefore(one: Version, other: Version): boolean {
  return one.eventCount < other.eventCount || one.epoch < other.epoch
}
