import { isDatabaseUnavailable, TimeoutError, withTimeout } from '@papermoon/db'
import type { CacheEntry } from './cache-entry.ts'

/** Max wait for fresh data before returning stale data, in ms. */
const FRESH_WAIT_MAX_MS = 5_000

/** Limits how long callers wait for the database when a stale value could be returned instead (stale-if-error). */
export class StaleFallback {
  /** Number of reads to which the database has responded. */
  #answeredReads = 0
  /** Pending reads that exceeded the wait, with the value of `#answeredReads` at that time. */
  readonly #overdue = new WeakMap<object, number>()

  /**
   * Returns the entry's value at `nowMs`, from `read` if needed. Throws the error of `read`. Throws `TimeoutError` only
   * if the entry has a stale value to return.
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
   * Returns whether the pending read is overdue, and nothing suggests that the database works again. If the database
   * completed another read or published an event since then, only the overdue read's connection is dead. In this case,
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
export function isDatabaseUnreachable(error: unknown): boolean {
  return error instanceof TimeoutError || isDatabaseUnavailable(error)
}
