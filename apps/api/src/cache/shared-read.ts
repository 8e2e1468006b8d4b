/**
 * A dear reading that all callers share: one at a time, and none sooner than `maxAgeMs` after the last. Callers who find
 * it too old wait for the same new one. One that fails is forgotten.
 */
export class SharedRead<T> {
  readonly #maxAgeMs: number
  #last: { readonly value: Promise<T>; readonly atMs: number } | null = null
  #isUnderWay = false

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs
  }

  /** The last reading if it is young enough at `nowMs`, or under way, else a new one by `read`. */
  async get(nowMs: number, read: () => Promise<T>): Promise<T> {
    const last = this.#last
    if (last !== null && (this.#isUnderWay || this.#isYoung(last.atMs, nowMs))) return await last.value
    const value = read()
    this.#last = { value, atMs: nowMs }
    this.#isUnderWay = true
    try {
      return await value
    } catch (error) {
      this.#last = null
      throw error
    } finally {
      this.#isUnderWay = false
    }
  }

  /** A clock that jumped back makes it neither young nor old: it is read anew. */
  #isYoung(atMs: number, nowMs: number): boolean {
    return nowMs >= atMs && nowMs < atMs + this.#maxAgeMs
  }
}
