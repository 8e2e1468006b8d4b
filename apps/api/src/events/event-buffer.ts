import type { MarketEvent } from '@papermoon/engine'

/**
 * Buffers events for one subscriber, at most `sizeMax`. An overflow discards the buffer; the subscriber then reads the
 * complete journal instead.
 */
export class EventBuffer {
  readonly #sizeMax: number
  readonly #signal: AbortSignal | undefined
  #events: MarketEvent[] = []
  #overflowed = false
  #wake: (() => void) | null = null

  constructor(sizeMax: number, signal: AbortSignal | undefined) {
    this.#sizeMax = sizeMax
    this.#signal = signal
    signal?.addEventListener('abort', () => this.#wake?.(), { once: true })
  }

  /** A listener for a feed: never waits, never throws. */
  readonly push = (event: MarketEvent): void => {
    if (this.#events.length >= this.#sizeMax) {
      this.#events = []
      this.#overflowed = true
    }
    if (!this.#overflowed) this.#events.push(event)
    this.#wake?.()
  }

  /** Waits for an event, an overflow or the abort signal, then empties the buffer and returns its content. */
  async take(): Promise<{ events: MarketEvent[]; overflowed: boolean }> {
    if (this.#events.length === 0 && !this.#overflowed && !this.#signal?.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = null
    }
    const taken = { events: this.#events, overflowed: this.#overflowed }
    this.#events = []
    this.#overflowed = false
    return taken
  }
}
