/** Max number of stored events of orders that have no response yet. */
const UNCLAIMED_MAX = 200_000

/**
 * Checks that each confirmed trade appears in the event stream, before or after the order's response. Other players'
 * trades and repeated events are ignored.
 */
export class EventCheck {
  /** Events of orders that have no response yet, oldest first. */
  readonly #unclaimed = new Set<string>()
  /** Confirmed trades that have no event yet. */
  readonly #missing = new Set<string>()
  #expected = 0

  /** Number of confirmed trades so far. */
  get expected(): number {
    return this.#expected
  }

  /** Number of confirmed trades without an event. */
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
