import { DomainError } from '@papermoon/engine'
import type { tracked } from '@trpc/server'
import type { StreamEvent } from '../journal.ts'
import type { Outlet } from './outlet.ts'

/** What an event's id is: the token's sequence number, or a place in the journal. */
export type EventIds = 'seq' | 'cursor'

/**
 * The only value of a subscription: its socket takes it and has the events sent as bytes that all subscribers share. In tRPC's
 * own loop every event leaves two entries in a `WeakMap`; with hundreds of subscribers, collecting those stopped the server
 * for 60 ms at a time.
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
    // Nobody waits for the end of a subscription that its client has stopped.
    this.#end.promise.catch(() => {})
  }

  /** Aborts when the subscription has ended. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Resolves when the client has stopped the subscription; rejects with what it failed with. */
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

/** A subscription. Its type is what clients receive: one tracked event after another. */
export async function* subscribeTo(
  ...parts: ConstructorParameters<typeof LiveSubscription>
): AsyncGenerator<ReturnType<typeof tracked<StreamEvent>>, void, void> {
  const subscription = new LiveSubscription(...parts)
  yield subscription as never
  await subscription.ended
}
