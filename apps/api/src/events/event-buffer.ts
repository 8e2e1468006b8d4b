import type { MarketEvent } from '@papermoon/engine'

/**
 * Holds events for one slow reader, at most `most`. When it overflows it lets go of everything and says so:
 * the reader then reads the journal, which forgets nothing.
 */
export class EventBuffer {
  readonly #most: number
  readonly #signal: AbortSignal | undefined
  #events: MarketEvent[] = []
  #overflowed = false
  #wake: (() => void) | null = null

  constructor(most: number, signal: AbortSignal | undefined) {
    this.#most = most
    this.#signal = signal
    signal?.addEventListener('abort', () => this.#wake?.(), { once: true })
  }

  /** Never waits, never throws. */
  readonly push = (event: MarketEvent): void => {
    if (this.#events.length >= this.#most) {
      this.#events = []
      this.#overflowed = true
    }
    if (!this.#overflowed) this.#events.push(event)
    this.#wake?.()
  }

  /** Waits for events, an overflow or the end of the signal, and takes what is there. */
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
