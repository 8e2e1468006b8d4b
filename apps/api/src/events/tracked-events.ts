import type { MarketEvent } from '@papermoon/engine'
import type { tracked } from '@trpc/server'

/** An event and the id by which a subscriber resumes after it. */
export interface TrackedEvent {
  readonly id: string
  readonly event: MarketEvent
}

/** Wraps events with their ids. Empties `events`: whoever made the list may keep it as long as the subscription lives. */
export type TrackEvents = (events: MarketEvent[]) => readonly TrackedEvent[]

/** Returns a function that wraps each event once for all subscribers. */
export function createTracker(toId: (event: MarketEvent) => string): TrackEvents {
  const wrapped = new WeakMap<MarketEvent, TrackedEvent>()
  const wrap = (event: MarketEvent): TrackedEvent => {
    const known = wrapped.get(event)
    if (known !== undefined) return known
    const item = { id: toId(event), event }
    wrapped.set(event, item)
    return item
  }
  return (events) => events.splice(0).map(wrap)
}

/**
 * The only value of a subscription: the subscriber's socket takes it and sends each group of events itself. In tRPC's own
 * loop every group leaves two entries in a `WeakMap`; with hundreds of subscribers, collecting those stopped the server
 * for 60 ms at a time.
 */
export class EventFeed {
  readonly #groups: AsyncIterable<MarketEvent[]>
  readonly #track: TrackEvents
  readonly #signal: AbortSignal | undefined
  readonly #end = Promise.withResolvers<void>()

  constructor(groups: AsyncIterable<MarketEvent[]>, track: TrackEvents, signal?: AbortSignal) {
    this.#groups = groups
    this.#track = track
    this.#signal = signal
    // Nobody waits for the end of a subscription that its client has stopped.
    this.#end.promise.catch(() => {})
  }

  /** Resolves once all groups were sent; rejects with what a group failed with. */
  get ended(): Promise<void> {
    return this.#end.promise
  }

  /** Passes each group to `send` until there are no more or the signal is aborted. Called once. */
  sendTo(send: (items: readonly TrackedEvent[]) => void): void {
    this.#sendAll(send).then(this.#end.resolve, this.#end.reject)
  }

  async #sendAll(send: (items: readonly TrackedEvent[]) => void): Promise<void> {
    for await (const events of this.#groups) {
      if (this.#signal?.aborted) return
      send(this.#track(events))
    }
  }
}

/**
 * A subscription to groups of events, which ends and fails with them, or ends with the signal. The type is what clients
 * receive: one tracked event after another.
 */
export async function* subscribeTo(
  groups: AsyncIterable<MarketEvent[]>,
  track: TrackEvents,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReturnType<typeof tracked<MarketEvent>>, void, void> {
  const feed = new EventFeed(groups, track, signal)
  yield feed as never
  await feed.ended
}
