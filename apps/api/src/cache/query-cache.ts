import type { Clock, MarketEvent, TokenId } from '@papermoon/engine'
import type { PatchResult } from '@papermoon/live'
import type { ZodType } from 'zod'
import type { LiveFeed } from '../events/live-feed.ts'
import { CacheEntry } from './cache-entry.ts'
import { EventLog } from './event-log.ts'
import { deepFreeze } from './freeze.ts'
import { isDatabaseUnreachable, StaleFallback } from './stale-fallback.ts'

/** The token whose events concern a reading, or all of the market's, or none. */
type EventScope = TokenId | 'market' | null

/** A kind of reading that everybody may see, and how events keep it fresh. */
export interface CachedQuery<Input, Output extends object> {
  readonly name: string
  /** What is read, checked once for all callers. */
  readonly schema: ZodType<Output>
  /** Inputs with the same key read the same. */
  key(input: Input): string
  /** How much a reading holds, in tokens of a list: some 8 kB with its texts. */
  weight(input: Input): number
  scope(input: Input): EventScope
  /** Whether what was asked for at `atMs` is still right at `nowMs` as far as no event tells. */
  isFresh(atMs: number, nowMs: number, value: Output): boolean
  /** The reading after events, which it may know already. The same object when nothing in it changes. */
  applyEvents(value: Output, events: readonly MarketEvent[], input: Input): PatchResult<Output>
}

/** Of figures over the last hours, which are cut by the minute: what they leave behind changes with each. */
export function isSameMinute(atMs: number, nowMs: number): boolean {
  const minuteMs = 60_000
  return Math.ceil(atMs / minuteMs) === Math.ceil(nowMs / minuteMs)
}

/** Of all readings together: some 100 MB. */
const WEIGHT_MAX = 12_000

interface Entry {
  // Each kind's own type; the name in the key tells which.
  readonly reading: CacheEntry<unknown>
  readonly follows: EventScope
  readonly weight: number
}

/** Where a shared value came from, for those who want the same again. */
export type CacheHandle = Pick<Entry, 'reading' | 'follows'>

interface SharedLog {
  readonly log: EventLog
  readings: number
  readonly detach: () => void
}

interface QueryCacheOptions {
  readonly feed: LiveFeed
  readonly clock: Clock
}

/**
 * The readings that all callers share: those asked last, within a bound. A trade that was answered by this node is in each asked for
 * after, one of another node as soon as this one hears of it. Only what is shown for want of better may lack some: it says its age.
 */
export class QueryCache {
  readonly #parts: QueryCacheOptions
  readonly #entries = new Map<string, Entry>()
  readonly #reads = new StaleFallback()
  readonly #origins = new WeakMap<object, CacheHandle>()
  /** When what was shown for want of better was read, in ms. */
  readonly #overdue = new WeakMap<object, number>()
  readonly #market = new EventLog()
  readonly #tokens = new Map<TokenId, SharedLog>()
  #weight = 0
  #visibility: number

  constructor(parts: QueryCacheOptions) {
    this.#parts = parts
    this.#visibility = parts.feed.visibility
    parts.feed.onEvent(this.#market.add)
  }

  /**
   * What `read` answers, or has lately; frozen, since it is everybody's. Where the database is away, or silent, what was
   * known last (`overdueS` tells); throws what `read` does where nothing was.
   */
  async get<Input, Output extends object>(
    kind: CachedQuery<Input, Output>,
    input: Input,
    read: () => Promise<Output>,
  ): Promise<Output> {
    this.#dropIfHidden()
    const key = `${kind.name} ${kind.key(input)}`
    const entry = this.#entry(key, () => this.#entryOf(kind, input))
    // An event is here that listeners have not heard of yet: only the database knows what it did.
    if (this.#isBehind(entry.follows)) entry.reading.invalidate()
    try {
      const { reading } = entry
      const nowMs = this.#parts.clock.now().getTime()
      const readChecked = async () => deepFreeze(kind.schema.parse(await read()))
      const value = reading.peek(nowMs) ?? (await this.#reads.get(reading, nowMs, readChecked))
      this.#origins.set(value as Output, entry)
      return value as Output
    } catch (error) {
      const last = isDatabaseUnreachable(error)
        ? (entry.reading.getLast() as { value: Output; atMs: number } | null)
        : null
      if (last === null) {
        if (this.#entries.get(key) === entry) this.#drop(key)
        throw error
      }
      this.#overdue.set(last.value, last.atMs)
      return last.value
    }
  }

  /** The age in whole seconds of a value that was shown for want of better; null for one that is right. */
  staleSeconds(value: object): number | null {
    const atMs = this.#overdue.get(value)
    return atMs === undefined ? null : Math.max(0, Math.floor((this.#parts.clock.now().getTime() - atMs) / 1_000))
  }

  /** Where a value came from; undefined for what is not shared. */
  findHandle(value: object): CacheHandle | undefined {
    return this.#origins.get(value)
  }

  /** What is known of an origin and still right, without reading it; null if there is nothing. */
  peek({ reading, follows }: CacheHandle): unknown {
    this.#dropIfHidden()
    return this.#isBehind(follows) ? null : reading.peek(this.#parts.clock.now().getTime())
  }

  /** For a change that no event tells of: the next caller of a kind's key gets a new reading. */
  invalidate(name: string, key: string): void {
    this.#entries.get(`${name} ${key}`)?.reading.invalidate()
  }

  /** For a change that may be in any reading, and that no event tells of. */
  invalidateAll(): void {
    for (const key of [...this.#entries.keys()]) this.#drop(key)
  }

  #isBehind(follows: EventScope): boolean {
    return follows !== null && this.#parts.feed.isBehind(follows === 'market' ? null : follows)
  }

  #dropIfHidden(): void {
    const { visibility } = this.#parts.feed
    if (visibility === this.#visibility) return
    this.#visibility = visibility
    this.invalidateAll()
  }

  /** The entry of a key, made if need be; those asked longest ago go when there are too many. */
  #entry(key: string, make: () => Entry): Entry {
    const known = this.#entries.get(key)
    const entry = known ?? make()
    if (known === undefined) this.#weight += entry.weight
    else this.#entries.delete(key)
    this.#entries.set(key, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= WEIGHT_MAX || oldest === key) break
      this.#drop(oldest)
    }
    return entry
  }

  #entryOf<Input, Output extends object>(kind: CachedQuery<Input, Output>, input: Input): Entry {
    const follows = kind.scope(input)
    const reading = new CacheEntry<Output>({
      log: this.#logOf(follows),
      applyEvents: (value, events) => {
        const caught = kind.applyEvents(value, events, input)
        return { ...caught, data: deepFreeze(caught.data) }
      },
      isFresh: kind.isFresh,
    })
    return { reading: reading as CacheEntry<unknown>, follows, weight: kind.weight(input) }
  }

  /** One log for all readings of a token, as long as there is one. */
  #logOf(follows: EventScope): EventLog | null {
    if (follows === null) return null
    if (follows === 'market') return this.#market
    const known = this.#tokens.get(follows)
    if (known !== undefined) {
      known.readings++
      return known.log
    }
    const log = new EventLog()
    this.#tokens.set(follows, { log, readings: 1, detach: this.#parts.feed.onTokenEvent(follows, log.add) })
    return log
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    entry.reading.close()
    this.#entries.delete(key)
    this.#weight -= entry.weight
    if (typeof entry.follows !== 'number') return
    const shared = this.#tokens.get(entry.follows)
    if (shared === undefined || --shared.readings > 0) return
    shared.detach()
    this.#tokens.delete(entry.follows)
  }
}
