import { performance } from 'node:perf_hooks'

const SECOND_MS = 1_000

/**
 * Allows at most so many traces a second, evenly: after a pause, a tenth of them may come at once. So every call of a quiet
 * server is traced, and a storm costs no more than a quiet hour.
 */
export class TraceBudget {
  readonly #perSecond: number
  readonly #burst: number
  readonly #now: () => number
  #left: number
  #atMs: number

  /** `now`: in ms of a monotonic clock. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#burst = Math.max(1, perSecond / 10)
    this.#now = now
    this.#left = this.#burst
    this.#atMs = now()
  }

  /** Whether one more trace is allowed; it is then counted. */
  spend(): boolean {
    const nowMs = this.#now()
    this.#left = Math.min(this.#burst, this.#left + ((nowMs - this.#atMs) * this.#perSecond) / SECOND_MS)
    this.#atMs = nowMs
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
