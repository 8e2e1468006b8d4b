import { performance } from 'node:perf_hooks'

/** Min age in ms at which a shared result is read again. */
const MIN_AGE_MS = 60_000

/** Max share of the database's time that reads of one kind may use. */
const SHARE_OF_TIME = 1 / 20

/** Max age of a result that callers receive, in ms. If the last result is older, callers wait for a new one. */
const MAX_AGE_MS = 600_000

/**
 * Shares one expensive read among all callers. Callers get the last result at once while a newer one is read. Only the
 * first caller and a caller after a long pause wait. Nothing is read while nobody calls.
 */
export class BackgroundRead<T> {
  readonly #read: () => Promise<T>
  readonly #onError: (error: unknown) => void
  readonly #pending = new SharedRead<Result<T>>(0)
  #last: Result<T> | null = null

  /** `onError` gets errors of reads that no caller waits for. */
  constructor({ read, onError }: { read: () => Promise<T>; onError: (error: unknown) => void }) {
    this.#read = read
    this.#onError = onError
  }

  async get(nowMs: number): Promise<T> {
    const last = this.#last
    if (last === null) return (await this.#refresh(nowMs)).value
    const ageMs = Math.abs(nowMs - last.atMs)
    const isFresh = ageMs < Math.max(MIN_AGE_MS, last.tookMs / SHARE_OF_TIME)
    if (isFresh) return last.value
    const next = this.#refresh(nowMs)
    if (ageMs > MAX_AGE_MS) return (await next).value
    next.catch(this.#onError)
    return last.value
  }

  async #refresh(nowMs: number): Promise<Result<T>> {
    return await this.#pending.get(nowMs, async () => {
      const startMs = performance.now()
      const value = await this.#read()
      const result = { value, atMs: nowMs, tookMs: performance.now() - startMs }
      this.#last = result
      return result
    })
  }
}

interface Result<T> {
  readonly value: T
  readonly atMs: number
  readonly tookMs: number
}

/**
 * Shares one expensive read among all callers. Never runs two reads at a time, and reuses a result for `maxAgeMs`. A
 * failed read rejects all waiting callers and is not cached.
 */
export class SharedRead<T> {
  readonly #maxAgeMs: number
  #last: { readonly value: Promise<T>; readonly atMs: number } | null = null
  #isPending = false

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs
  }

  /** Returns the pending read or the last result if it is fresh at `nowMs`, otherwise the result of `read`. */
  async get(nowMs: number, read: () => Promise<T>): Promise<T> {
    const last = this.#last
    if (last !== null && (this.#isPending || this.#isFresh(last.atMs, nowMs))) return await last.value
    const value = read()
    this.#last = { value, atMs: nowMs }
    this.#isPending = true
    try {
      return await value
    } catch (error) {
      this.#last = null
      throw error
    } finally {
      this.#isPending = false
    }
  }

  /** Returns false if the clock was set back, because a result could otherwise become older than its max age. */
  #isFresh(atMs: number, nowMs: number): boolean {
    return nowMs >= atMs && nowMs < atMs + this.#maxAgeMs
  }
}
