import { DomainError } from '@papermoon/engine'
import type { tracked } from '@trpc/server'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { StreamEvent } from '../journal.ts'
import type { Subscriber } from './channels.ts'

/** The id of an event in a subscription: the token's sequence number, or a position in the journal. */
export type EventIds = 'seq' | 'cursor'

/**
 * The only value that a subscription yields. The socket takes this value and then writes bytes that all subscribers
 * share. tRPC's own loop would add two entries to a `WeakMap` for each event. With hundreds of subscribers, garbage
 * collection of these entries stopped the server for 60 ms at a time.
 */
export class LiveSubscription {
  readonly ids: EventIds
  readonly #follow: (outlet: Outlet) => Promise<void>
  readonly #stop = new AbortController()
  readonly #end = Promise.withResolvers<void>()

  constructor(ids: EventIds, follow: (outlet: Outlet) => Promise<void>, signal: AbortSignal | undefined) {
    this.ids = ids
    this.#follow = follow
    const stop = () => (signal?.reason instanceof DomainError ? this.fail(signal.reason) : this.#finish())
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    // Ignore the promise's result, because nobody waits for a subscription that its client has stopped.
    this.#end.promise.catch(() => {})
  }

  /** The signal is aborted when the subscription ends. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** The promise resolves when the client stops the subscription. The promise rejects with the subscription's error. */
  get ended(): Promise<void> {
    return this.#end.promise
  }

  sendTo(outlet: Outlet): void {
    this.#follow(outlet).catch((error: unknown) => this.fail(error))
  }

  fail(error: unknown): void {
    this.#end.reject(error)
    this.#stop.abort()
  }

  #finish(): void {
    this.#end.resolve()
    this.#stop.abort()
  }
}

/** A subscription to events. The type describes what clients receive: a sequence of tracked events. */
export async function* subscribeTo(
  ...parts: ConstructorParameters<typeof LiveSubscription>
): AsyncGenerator<ReturnType<typeof tracked<StreamEvent>>, void, void> {
  const subscription = new LiveSubscription(...parts)
  yield subscription as never
  await subscription.ended
}

/** A connection that receives events. */
export interface Outlet extends Subscriber {
  readonly ip: string
  /** The signal is aborted when the connection ends. */
  readonly signal: AbortSignal
  /**
   * If true, missed events and rate limits end the connection with an error. If false, the connection gets a gap
   * message for missed events, and waits when a rate limit is reached.
   */
  readonly isStrict: boolean
  /** The promise resolves when everything was sent, or when sending took too long and the connection ended. */
  drained(): Promise<void>
  /** Reports that all events up to the cursor were sent, even if this connection wanted none of them. */
  moveTo(cursor: string): void
  /** Called when the connection starts to get events as they happen; `end` stops this. */
  goLive(end: () => void): void
}

export interface StreamMetrics {
  /** Open connections to `/api/events`. */
  readonly listeners: Gauge
  /** Number of events that listeners received from the journal. */
  readonly replayed: Counter
  /** Number of listeners that were disconnected because they read too slowly. */
  readonly cutOff: Counter
}

export function createStreamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry]
  return {
    listeners: new Gauge({ name: 'papermoon_event_listeners', help: 'Open connections of /api/events.', registers }),
    replayed: new Counter({
      name: 'papermoon_events_replayed_total',
      help: 'Events that listeners got from the journal.',
      registers,
    }),
    cutOff: new Counter({
      name: 'papermoon_event_listeners_cut_off_total',
      help: 'Listeners that were cut off because they read too slowly.',
      registers,
    }),
  }
}
