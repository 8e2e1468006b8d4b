import { DAY_MS, HOUR_MS } from '../market/figures.ts'
import type { Random } from '../random/random.ts'

/** Mean number of further arrivals that one arrival causes. The value is an assumption (docs/bots.md). */
const BRANCHING = 0.7
/** Time in which the excitement falls to 1/e of its value, in ms. */
const DECAY_MS = 10 * 60_000
/**
 * Amplitude of the daily rhythm as a part of its mean. The rhythm is highest at 20:00 and lowest at 08:00. The value is
 * an assumption.
 */
const SWING = 0.5
const PEAK_MS = 20 * HOUR_MS
/** Max intensity as a multiple of the mean. Without this limit, bursts could grow for ever. */
const BURST_MAX = 8

/**
 * Arrival times from a Hawkes process (Hawkes 1971). The intensity is a daily rhythm plus an excitement. Every arrival
 * increases the excitement, and it decays exponentially. Times are drawn by Ogata's thinning.
 */
export class Arrivals {
  readonly #random: Random
  /** Mean number of arrivals per ms over a day, without excitement. */
  readonly #base: number
  readonly #max: number
  #excitement = 0
  #excitedAtMs: number
  nextAtMs = Number.POSITIVE_INFINITY

  /**
   * `meanPerSecond` is the mean number of arrivals per second over a day. This number includes arrivals that excitement
   * causes.
   */
  constructor(random: Random, startMs: number, meanPerSecond: number) {
    this.#random = random
    const mean = meanPerSecond / 1000
    this.#base = mean * (1 - BRANCHING)
    this.#max = mean * BURST_MAX
    this.#excitedAtMs = startMs
    // Start with the mean excitement. With less excitement, the process would begin with silence, because it has no
    // past.
    this.#excitement = mean * BRANCHING * this.#rhythm(startMs)
    this.advance(startMs)
  }

  /** Adds excitement. The weight 1 adds as much as one arrival causes. */
  excite(atMs: number, weight: number): void {
    this.#decay(atMs)
    this.#excitement = Math.min(this.#max, this.#excitement + (BRANCHING / DECAY_MS) * weight)
  }

  /** Draws the next arrival after `nowMs`. The arrival itself also adds excitement. */
  advance(nowMs: number): void {
    this.excite(nowMs, 1)
    const bound = this.#base * (1 + SWING) + this.#excitement
    let atMs = nowMs
    for (;;) {
      atMs += this.#random.exponential(1 / bound)
      const decayed = this.#excitement * Math.exp(-(atMs - nowMs) / DECAY_MS)
      if (this.#random.next() * bound <= this.#base * this.#rhythm(atMs) + decayed) break
    }
    this.nextAtMs = atMs
  }

  #decay(atMs: number): void {
    if (atMs <= this.#excitedAtMs) return
    this.#excitement *= Math.exp(-(atMs - this.#excitedAtMs) / DECAY_MS)
    this.#excitedAtMs = atMs
  }

  #rhythm(atMs: number): number {
    return 1 + SWING * Math.cos(((atMs - PEAK_MS) / DAY_MS) * 2 * Math.PI)
  }
}
