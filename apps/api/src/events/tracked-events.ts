import type { tracked } from '@trpc/server'
import type { MarketEvent } from './event.ts'

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
  readonly items: readonly TrackedEvent[]

  constructor(items: readonly TrackedEvent[]) {
    this.items = items
  }
}

/** Events for a subscription to yield; typed as what its clients get of them, which is one tracked event after another. */
export function trackAll(
  events: readonly MarketEvent[],
  idOf: (event: MarketEvent) => string,
): ReturnType<typeof tracked<MarketEvent>> {
  return new TrackedEvents(events.map((event) => ({ id: idOf(event), event }))) as never
}
