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
 * Wraps events for a subscription to yield. The type is what clients receive: one tracked event after another. Empties
 * `events`, since the caller may keep the list for as long as the subscription lives.
 */
export function trackAll(
  events: MarketEvent[],
  toId: (event: MarketEvent) => string,
): ReturnType<typeof tracked<MarketEvent>> {
  return new TrackedEvents(events.splice(0).map((event) => ({ id: toId(event), event }))) as never
}
