import type { MarketEvent } from '@papermoon/engine'
import type { tracked } from '@trpc/server'

/** An event under the id that a subscriber resumes after. */
export interface TrackedEvent {
  readonly id: string
  readonly event: MarketEvent
}

/**
 * Events that go out to a subscriber together, each as a message of its own. A batch of the engine is dozens of them: one
 * by one, each would take all the steps of a subscription, for each of thousands of subscribers.
 */
export class TrackedEvents {
  #items: readonly TrackedEvent[]

  constructor(items: readonly TrackedEvent[]) {
    this.#items = items
  }

  get items(): readonly TrackedEvent[] {
    return this.#items
  }

  /** Lets go of the events, which are on their way: a subscription that waits holds on to what it yielded last. */
  release(): void {
    this.#items = []
  }
}

/**
 * Events for a subscription to yield; typed as what its clients get of them, which is one tracked event after another. Takes
 * them over: `events` is empty afterwards, since whoever read them may hold on to the list for as long as the subscription lives.
 */
export function trackAll(
  events: MarketEvent[],
  idOf: (event: MarketEvent) => string,
): ReturnType<typeof tracked<MarketEvent>> {
  return new TrackedEvents(events.splice(0).map((event) => ({ id: idOf(event), event }))) as never
}
