import type { MarketEvent } from '@papermoon/engine'

/** More events than this between two reads: reading again is cheaper than to catch up. */
const KEPT_MAX = 512

/** The last events of a token or of the market, counted from when the log began: one for all readings that follow them. */
export class EventLog {
  readonly #ring: MarketEvent[] = []
  #count = 0

  /** How many events there have been. */
  get count(): number {
    return this.#count
  }

  /** Ready to be attached to a feed. */
  readonly add = (event: MarketEvent): void => {
    this.#ring[this.#count % KEPT_MAX] = event
    this.#count++
  }

  /** The events after the first `count`, in order; null when not all of them are kept any more. */
  since(count: number): readonly MarketEvent[] | null {
    if (this.#count - count > KEPT_MAX) return null
    const start = count % KEPT_MAX
    const end = this.#count % KEPT_MAX
    if (count === this.#count) return []
    return start < end ? this.#ring.slice(start, end) : [...this.#ring.slice(start), ...this.#ring.slice(0, end)]
  }
}
