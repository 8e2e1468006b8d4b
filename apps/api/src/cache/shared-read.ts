/**
 * Shares one expensive read among all callers. Never runs two reads at a time, and reuses a result for `maxAgeMs`. A
 * failure rejects all waiting callers and is not cached.
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

  /** Returns false when the clock jumped back, so that a result cannot become older than its max age. */
  #isFresh(atMs: number, nowMs: number): boolean {
    return nowMs >= atMs && nowMs < atMs + this.#maxAgeMs
  }
}
