import type { MarketEvent } from '@papermoon/engine'
import type { WakeQueue } from './wake-queue.ts'

interface EventBufferParts {
  /** Max events buffered. */
  readonly sizeMax: number
  readonly signal: AbortSignal | undefined
  /** Shared by all subscribers of the node. */
  readonly wakes: WakeQueue
}

/**
 * Buffers events for one subscriber, at most `sizeMax`. An overflow discards the buffer; the subscriber then reads the
 * complete journal instead.
 */
export class EventBuffer {
  readonly #parts: EventBufferParts
  #events: MarketEvent[] = []
  #overflowed = false
  #wake: (() => void) | null = null

  constructor(parts: EventBufferParts) {
    this.#parts = parts
    parts.signal?.addEventListener('abort', () => this.#wake?.(), { once: true })
  }

  /** A listener for a feed: never waits, never throws. */
  readonly push = (event: MarketEvent): void => {
    if (this.#events.length >= this.#parts.sizeMax) {
      this.#events = []
      this.#overflowed = true
    }
    if (!this.#overflowed) this.#events.push(event)
    if (this.#wake === null) return
    this.#parts.wakes.add(this.#wake)
    // Half full: an overflow would cost a read of the journal.
    if (this.#events.length >= this.#parts.sizeMax / 2) this.#parts.wakes.hurry()
  }

  /** Waits for an event, an overflow or the abort signal, then empties the buffer and returns its content. */
  async take(): Promise<{ events: MarketEvent[]; overflowed: boolean }> {
    if (this.#events.length === 0 && !this.#overflowed && !this.#parts.signal?.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      if (this.#wake !== null) this.#parts.wakes.remove(this.#wake)
      this.#wake = null
    }
    const taken = { events: this.#events, overflowed: this.#overflowed }
    this.#events = []
    this.#overflowed = false
    return taken
  }
}
