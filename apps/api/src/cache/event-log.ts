import type { MarketEvent } from '@papermoon/engine'

/** Beyond this many events, reading again is cheaper than applying them. */
const KEPT_MAX = 512

/** A ring buffer with the last events of a token or of the market, shared by all cached queries of that scope. */
export class EventLog {
  readonly #ring: MarketEvent[] = []
  #count = 0

  /** Number of events since the log was created. */
  get count(): number {
    return this.#count
  }

  /** Bound, to be passed to a feed as a listener. */
  readonly add = (event: MarketEvent): void => {
    this.#ring[this.#count % KEPT_MAX] = event
    this.#count++
  }

  /** The events after the first `count`, in order; null when some of them were overwritten. */
  since(count: number): readonly MarketEvent[] | null {
    if (this.#count - count > KEPT_MAX) return null
    const start = count % KEPT_MAX
    const end = this.#count % KEPT_MAX
    if (count === this.#count) return []
    return start < end ? this.#ring.slice(start, end) : [...this.#ring.slice(start), ...this.#ring.slice(0, end)]
  }
}
