/**
 * A dear reading that all callers share: one at a time, and none sooner than `maxAgeMs` after the last unless what it
 * reads has changed. Callers who find it too old wait for the same new one. One that fails is forgotten.
 */
export class SharedReading<T> {
  readonly #maxAgeMs: number
  readonly #versionOf: () => number
  #last: { readonly value: Promise<T>; readonly atMs: number; readonly version: number } | null = null
  #isUnderWay = false

  /** `versionOf` grows when what is read may have changed: no caller gets a reading that began before that. */
  constructor(maxAgeMs: number, versionOf: () => number = () => 0) {
    this.#maxAgeMs = maxAgeMs
    this.#versionOf = versionOf
  }

  /** The last reading if it is young enough at `nowMs` and nothing has changed since, else a new one by `read`. */
  async get(nowMs: number, read: () => Promise<T>): Promise<T> {
    const wanted = this.#versionOf()
    while (this.#last !== null && this.#isUnderWay) {
      if (this.#last.version >= wanted) return await this.#last.value
      await settled(this.#last.value)
    }
    if (this.#last !== null && this.#last.version >= wanted && this.#isYoung(this.#last.atMs, nowMs)) {
      return await this.#last.value
    }
    return await this.#readAnew(nowMs, read)
  }

  async #readAnew(nowMs: number, read: () => Promise<T>): Promise<T> {
    // The version of now, not the one wanted: those who wait for still newer ones share this reading, too.
    const version = this.#versionOf()
    const value = read()
    this.#last = { value, atMs: nowMs, version }
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

async function settled(value: Promise<unknown>): Promise<void> {
  await value.then(
    () => {},
    () => {},
  )
}
