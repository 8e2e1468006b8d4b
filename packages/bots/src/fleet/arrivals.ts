import { DAY_MS, HOUR_MS } from '../market/figures.ts'
import type { Random } from '../random/random.ts'

/** Arrivals that one arrival causes in the mean. An assumption, see docs/bots.md. */
const BRANCHING = 0.7
/** Decay time of excitement. */
const DECAY_MS = 10 * 60_000
/** The day's swing around its mean, highest at 20 h and lowest at 8 h. An assumption. */
const SWING = 0.5
const PEAK_MS = 20 * HOUR_MS
/** Bound of the intensity, in means: no burst makes the bots' load grow without end. */
const BURST_MAX = 8

/**
 * Arrival times of a Hawkes process: a daily rhythm, plus an excitement that every arrival adds to and that decays
 * exponentially (Hawkes 1971; times are drawn by Ogata's thinning).
 */
export class Arrivals {
  readonly #random: Random
  /** Arrivals a ms without excitement, in the mean over a day. */
  readonly #base: number
  readonly #max: number
  #excitement = 0
  #excitedAtMs: number
  nextAtMs = Number.POSITIVE_INFINITY

  /** `meanPerSecond`: mean arrivals a second over a whole day, the excited ones included. */
  constructor(random: Random, startMs: number, meanPerSecond: number) {
    this.#random = random
    const mean = meanPerSecond / 1000
    this.#base = mean * (1 - BRANCHING)
    this.#max = mean * BURST_MAX
    this.#excitedAtMs = startMs
    // A day begins in the middle of things, not with the silence of a process without a past.
    this.#excitement = mean * BRANCHING * this.#rhythm(startMs)
    this.advance(startMs)
  }

  /** Adds excitement: 1 is that of an arrival. */
  excite(atMs: number, weight: number): void {
    this.#decay(atMs)
    this.#excitement = Math.min(this.#max, this.#excitement + (BRANCHING / DECAY_MS) * weight)
  }

  /** Draws the next arrival after `nowMs`, which is one itself. */
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
