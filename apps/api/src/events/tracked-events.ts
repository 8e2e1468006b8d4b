import type { MarketEvent } from '@papermoon/engine'
import type { tracked } from '@trpc/server'

/** An event and the id by which a subscriber resumes after it. */
export interface TrackedEvent {
  readonly id: string
  readonly event: MarketEvent
}

/**
 * Events that a subscription yields together and the socket sends as separate messages. An engine batch has dozens of
 * events: yielded one by one, each would pass through the whole async iterator chain for each of thousands of subscribers.
 */
export class TrackedEvents {
  #items: readonly TrackedEvent[]

  constructor(items: readonly TrackedEvent[]) {
    this.#items = items
  }

  get items(): readonly TrackedEvent[] {
    return this.#items
  }

  /** Frees the events once sent: a waiting generator keeps a reference to the value that it yielded last. */
  release(): void {
    this.#items = []
  }
}

/**
 * Returns a function that wraps events for a subscription to yield, each event once for all subscribers. The type is what
 * clients receive: one tracked event after another. It empties `events`, since the caller may keep the list for as long as
 * the subscription lives.
 */
export function createTracker(
  toId: (event: MarketEvent) => string,
): (events: MarketEvent[]) => ReturnType<typeof tracked<MarketEvent>> {
  const wrapped = new WeakMap<MarketEvent, TrackedEvent>()
  const wrap = (event: MarketEvent): TrackedEvent => {
    const known = wrapped.get(event)
    if (known !== undefined) return known
    const item = { id: toId(event), event }
    wrapped.set(event, item)
    return item
  }
  return (events) => new TrackedEvents(events.splice(0).map(wrap)) as never
}
