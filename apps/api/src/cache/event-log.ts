import type { MarketEvent } from '@papermoon/engine'

/** Max number of stored events. Beyond this, reading again is cheaper than applying events. */
const EVENTS_MAX = 512

/**
 * A ring buffer with the last events of a token or of the market, shared by all cached queries that these events
 * affect.
 */
export class EventLog {
  readonly #ring: MarketEvent[] = []
  #count = 0

  /** Number of events since the log was created. */
  get count(): number {
    return this.#count
  }

  /** A bound method that can be passed to a feed as a listener. */
  readonly add = (event: MarketEvent): void => {
    this.#ring[this.#count % EVENTS_MAX] = event
    this.#count++
  }

  /** Returns the events after the first `count`, in order; null when some of them were overwritten. */
  since(count: number): readonly MarketEvent[] | null {
    if (this.#count - count > EVENTS_MAX) return null
    const start = count % EVENTS_MAX
    const end = this.#count % EVENTS_MAX
    if (count === this.#count) return []
    return start < end ? this.#ring.slice(start, end) : [...this.#ring.slice(start), ...this.#ring.slice(0, end)]
  }
}
