import assert from 'node:assert/strict'
import { isDatabaseUnavailable, TimeoutError, withTimeout } from '@papermoon/db'
import type { Clock, MarketEvent, TokenId } from '@papermoon/engine'
import type { PatchResult } from '@papermoon/live'
import { LRUCache } from 'lru-cache'
import type { ZodType } from 'zod'
import type { LiveFeed } from '../events/live-feed.ts'
import { CacheEntry, EventLog } from './cache-entry.ts'

/** The events that can affect a query: the events of one token, those of the whole market, or none. */
type EventScope = TokenId | 'market' | null

/** A public query whose results all callers share. The query defines how events keep the results up to date. */
export interface CachedQuery<Input, Output extends object> {
  readonly name: string
  /** Validates each query result once, for all callers. */
  readonly schema: ZodType<Output>
  /** Returns a cache key for the query's input. Inputs with the same cache key have the same result. */
  key(input: Input): string
  /** Returns the result's memory use in units of one listed token, which is about 8 kB with its JSON texts. */
  weight(input: Input): number
  scope(input: Input): EventScope
  /** Returns whether a result read at `atMs` is recent enough at `nowMs`. Events do not change the value. */
  isFresh(atMs: number, nowMs: number, value: Output): boolean
  /**
   * Applies events to `value`, which may already include some of them. Returns the same object if no event changes it.
   */
  applyEvents(value: Output, events: readonly MarketEvent[], input: Input): PatchResult<Output>
}

/**
 * Defines a query whose cached results do not change with events. When a result is too old, the query reads it again.
 */
export function defineTimedQuery<Input, Output extends object>(
  query: Pick<CachedQuery<Input, Output>, 'name' | 'schema' | 'isFresh'>,
): CachedQuery<Input, Output> {
  return { ...query, key: String, weight: () => 1, scope: () => null, applyEvents: (data) => ({ data, stale: false }) }
}

/** Returns whether two times are in the same minute. Results over a moving range change when a minute ends. */
export function isSameMinute(atMs: number, nowMs: number): boolean {
  const minuteMs = 60_000
  return Math.ceil(atMs / minuteMs) === Math.ceil(nowMs / minuteMs)
}

/** Max total weight of cached results, which is about 100 MB. */
const WEIGHT_MAX = 12_000

interface CachedResult {
  // The type is unknown here, because it depends on the query in the cache key.
  readonly entry: CacheEntry<unknown>
  readonly scope: EventScope
  readonly weight: number
}

/** Refers to the cache entry that a result came from. */
export type CacheHandle = Pick<CachedResult, 'entry' | 'scope'>

/**
 * Event log for all cached queries of a token. The log receives events from the feed while the cache contains queries
 * of this token.
 */
interface TokenLog {
  readonly log: EventLog
  users: number
  readonly detach: () => void
}

interface QueryCacheOptions {
  readonly feed: LiveFeed
  readonly clock: Clock
}

/**
 * Caches public query results for all callers, and removes the least recently used first. A result includes every trade
 * that this node confirmed before the call, and trades of other nodes as soon as the feed has received them. Only a
 * stale fallback may lack trades; `staleSeconds` returns the fallback's age.
 */
export class QueryCache {
  readonly #options: QueryCacheOptions
  readonly #results = new LRUCache<string, CachedResult>({
    maxSize: WEIGHT_MAX,
    sizeCalculation: ({ weight }) => weight,
    dispose: (result) => this.#release(result),
  })
  readonly #fallback = new StaleFallback()
  readonly #handles = new WeakMap<object, CacheHandle>()
  /** Times at which stale results were read, in ms. */
  readonly #staleSinceMs = new WeakMap<object, number>()
  readonly #marketLog = new EventLog()
  readonly #tokenLogs = new Map<TokenId, TokenLog>()
  #visibility: number

  constructor(options: QueryCacheOptions) {
    this.#options = options
    this.#visibility = options.feed.visibility
    options.feed.onEvent(this.#marketLog.add)
  }

  /**
   * Returns the query's result, cached or from `read`. The result is frozen, because callers share it. While the
   * database is unreachable, returns the last result, which is stale; if there is none, throws the error of `read`.
   */
  async get<Input, Output extends object>(
    query: CachedQuery<Input, Output>,
    input: Input,
    read: () => Promise<Output>,
  ): Promise<Output> {
    this.#clearIfVisibilityChanged()
    const key = toCacheKey(query.name, query.key(input))
    const cached = this.#open(key, query, input)
    const { entry, scope } = cached
    if (this.#isBehind(scope)) await this.#options.feed.catchUp()
    // Some events have not been delivered yet, so the value cannot be updated.
    if (this.#isBehind(scope)) entry.invalidate()
    try {
      const nowMs = this.#nowMs()
      const readChecked = async () => deepFreeze(query.schema.parse(await read()))
      const value = (entry.peek(nowMs) ?? (await this.#fallback.get(entry, nowMs, readChecked))) as Output
      this.#handles.set(value, cached)
      return value
    } catch (error) {
      const last = isDatabaseUnreachable(error) ? entry.getLast() : null
      if (last === null) {
        if (this.#results.peek(key) === cached) this.#results.delete(key)
        throw error
      }
      const value = last.value as Output
      this.#staleSinceMs.set(value, last.atMs)
      return value
    }
  }

  /** Returns the age of a stale result in whole seconds; null for a fresh result. */
  staleSeconds(value: object): number | null {
    const atMs = this.#staleSinceMs.get(value)
    return atMs === undefined ? null : Math.max(0, Math.floor((this.#nowMs() - atMs) / 1_000))
  }

  /** Returns a handle that `peek` accepts for a result of `get`; undefined for other values. */
  findHandle(value: object): CacheHandle | undefined {
    return this.#handles.get(value)
  }

  /** Returns the entry's value if it is fresh, otherwise null. This function never reads from the database. */
  peek({ entry, scope }: CacheHandle): unknown {
    this.#clearIfVisibilityChanged()
    return this.#isBehind(scope) ? null : entry.peek(this.#nowMs())
  }

  /**
   * Makes the next caller of this query and key wait for a new read. Call this function after a change that has no
   * event.
   */
  invalidate(name: string, key: string): void {
    this.#results.peek(toCacheKey(name, key))?.entry.invalidate()
  }

  /** Removes all cached results. Call `invalidateAll` after a change that has no event and may affect any result. */
  invalidateAll(): void {
    this.#results.clear()
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime()
  }

  #isBehind(scope: EventScope): boolean {
    return scope !== null && this.#options.feed.isBehind
  }

  #clearIfVisibilityChanged(): void {
    const { visibility } = this.#options.feed
    if (visibility === this.#visibility) return
    this.#visibility = visibility
    this.invalidateAll()
  }

  #open<Input, Output extends object>(key: string, query: CachedQuery<Input, Output>, input: Input): CachedResult {
    const known = this.#results.get(key)
    if (known !== undefined) return known
    const scope = query.scope(input)
    const entry = new CacheEntry<Output>({
      log: this.#openLog(scope),
      applyEvents: (value, events) => {
        const { data, stale } = query.applyEvents(value, events, input)
        return { data: deepFreeze(data), stale }
      },
      isFresh: query.isFresh,
    })
    const opened = { entry: entry as CacheEntry<unknown>, scope, weight: query.weight(input) }
    this.#results.set(key, opened)
    return opened
  }

  #openLog(scope: EventScope): EventLog | null {
    if (scope === null) return null
    if (scope === 'market') return this.#marketLog
    const known = this.#tokenLogs.get(scope)
    if (known !== undefined) {
      known.users++
      return known.log
    }
    const log = new EventLog()
    this.#tokenLogs.set(scope, { log, users: 1, detach: this.#options.feed.onTokenEvent(scope, log.add) })
    return log
  }

  #release({ entry, scope }: CachedResult): void {
    entry.close()
    if (scope === null || scope === 'market') return
    const shared = this.#tokenLogs.get(scope)
    if (shared === undefined || --shared.users > 0) return
    shared.detach()
    this.#tokenLogs.delete(scope)
  }
}

function toCacheKey(name: string, key: string): string {
  return `${name} ${key}`
}

/**
 * Freezes a plain JSON value deeply and returns it, so that callers cannot change a shared value and its JSON text can
 * be cached. Assumes that everything inside a frozen value is frozen, too.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    assert(typeof value !== 'undefined' && typeof value !== 'bigint', 'shared values must be plain JSON')
    return value
  }
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

/** Max wait for fresh data before returning stale data, in ms. */
const FRESH_WAIT_MAX_MS = 5_000

/** Limits how long callers wait for the database when the cache could return a stale value instead (stale-if-error). */
export class StaleFallback {
  /** Number of reads to which the database has responded. */
  #answeredReads = 0
  /** Pending reads that exceeded the wait, with the value of `#answeredReads` at that time. */
  readonly #overdue = new WeakMap<object, number>()

  /**
   * Returns the entry's value at `nowMs`, and calls `read` if the value is missing or stale. Passes on any error of
   * `read`. Throws `TimeoutError` only if the entry has a stale value to return.
   */
  async get<T>(entry: CacheEntry<T>, nowMs: number, read: () => Promise<T>): Promise<T> {
    const getFresh = () => entry.get(nowMs, () => this.#count(read))
    if (entry.getLast() === null) return await getFresh()
    if (this.#isHopeless(entry)) throw new TimeoutError('the pending read of the same query is overdue')
    const value = getFresh()
    const { pending } = entry
    try {
      return await withTimeout(value, FRESH_WAIT_MAX_MS)
    } catch (error) {
      if (error instanceof TimeoutError && pending !== null) this.#overdue.set(pending, this.#answeredReads)
      throw error
    }
  }

  /**
   * Returns whether the pending read is overdue and the database seems to be down. If the database completed another
   * read or published an event since the overdue read began, only the overdue read's connection is dead. In that case,
   * abandons the overdue read, so that the caller starts a new one.
   */
  #isHopeless(entry: CacheEntry<unknown>): boolean {
    const answeredThen = entry.pending === null ? undefined : this.#overdue.get(entry.pending)
    if (answeredThen === undefined) return false
    const hasRecovered = this.#answeredReads > answeredThen || entry.isPendingOutdated()
    return !hasRecovered || !entry.abandonPending()
  }

  async #count<T>(read: () => Promise<T>): Promise<T> {
    const value = await read()
    this.#answeredReads++
    return value
  }
}

/** Returns whether a read failed because the database is down or does not respond. */
function isDatabaseUnreachable(error: unknown): boolean {
  return error instanceof TimeoutError || isDatabaseUnavailable(error)
}
