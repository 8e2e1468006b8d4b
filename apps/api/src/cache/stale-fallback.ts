import { isDatabaseAway } from '@papermoon/db'
import { TimeoutError, withTimeout } from '../lib/timeout.ts'
import type { CacheEntry } from './cache-entry.ts'

/** Who could be shown what was known last waits no longer for what is right. */
const PATIENCE_MS = 5_000

/** Reads of one database by callers who would rather be shown what was known last than wait for ever. */
export class StaleFallback {
  /** How many reads the database has answered. */
  #answers = 0
  /** Reads that took longer than that, and how many answers there had been then. */
  readonly #late = new WeakMap<object, number>()

  /**
   * What `reading` answers at `nowMs`, by `read` if need be. Throws what that does, and `TimeoutError` where there is something to
   * show instead.
   */
  async get<T>(reading: CacheEntry<T>, nowMs: number, read: () => Promise<T>): Promise<T> {
    const answer = () => reading.get(nowMs, () => this.#counted(read))
    if (reading.getLast() === null) return await answer()
    if (this.#isHopeless(reading)) throw new TimeoutError('a read of the same takes too long already')
    const answered = answer()
    const waited = reading.pending
    try {
      return await withTimeout(answered, PATIENCE_MS)
    } catch (error) {
      if (error instanceof TimeoutError && waited !== null) this.#late.set(waited, this.#answers)
      throw error
    }
  }

  /**
   * Whether to wait for a reading is in vain: its read is late, and nothing says that another would be answered. One that is late
   * alone hangs on a connection that died: the database has answered others since, or a trade of which it will not tell.
   */
  #isHopeless(reading: CacheEntry<unknown>): boolean {
    const answersThen = this.#late.get(reading.pending ?? this)
    if (answersThen === undefined) return false
    const isBack = this.#answers > answersThen || reading.isPendingOutdated()
    return !isBack || !reading.abandonPending()
  }

  async #counted<T>(read: () => Promise<T>): Promise<T> {
    const value = await read()
    this.#answers++
    return value
  }
}

/** Whether a read failed because the database is away or silent. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return error instanceof TimeoutError || isDatabaseAway(error)
}
