/** Max events stored for orders that are still under way. */
const UNCLAIMED_MAX = 200_000

/**
 * Checks that each acknowledged trade appears in the event stream, before or after its answer. Other players' trades and
 * repeats do no harm.
 */
export class EventCheck {
  /** Events without an answer so far, oldest first. */
  readonly #unclaimed = new Set<string>()
  /** Answered trades without an event so far. */
  readonly #missing = new Set<string>()
  #expected = 0

  /** Acknowledged trades so far. */
  get expected(): number {
    return this.#expected
  }

  /** Number of acknowledged trades without an event. */
  get missing(): number {
    return this.#missing.size
  }

  acknowledged(tokenId: number, seq: number): void {
    const key = `${tokenId}:${seq}`
    this.#expected++
    if (!this.#unclaimed.delete(key)) this.#missing.add(key)
  }

  received(tokenId: number, seq: number): void {
    const key = `${tokenId}:${seq}`
    if (this.#missing.delete(key)) return
    this.#unclaimed.add(key)
    const [oldest] = this.#unclaimed
    if (this.#unclaimed.size > UNCLAIMED_MAX && oldest !== undefined) this.#unclaimed.delete(oldest)
  }
}
