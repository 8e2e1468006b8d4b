import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'

/** How much slower than live the market runs through most of a history, so that two weeks have some ten thousand trades. */
const SLOWNESS = 40
/** Towards its end it comes up to live speed, with this time constant. */
const RAMP_MS = 1.2 * HOUR_MS
/** Day and night: the swing around the mean, and the busiest hour (UTC), as of live bots. */
const SWING = 0.5
const BUSIEST_MS = 20 * HOUR_MS

/**
 * Stretches the time that bots live through (market time) over a longer history. Bots decide by how fast others trade; so
 * they live at their usual speed, and the history shows it slowed down: most by night, not at all at its end, where both
 * times are equal.
 */
export class HistoryClock {
  /** Market time at the start. */
  readonly startMs: number
  readonly #historyStartMs: number
  /** Market time passed from the start to the begin of each minute. */
  readonly #passed: Float64Array

  constructor({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
    const minutes = Math.ceil((endMs - startMs) / MINUTE_MS)
    this.#historyStartMs = startMs
    this.#passed = new Float64Array(minutes + 1)
    for (let minute = 0; minute < minutes; minute++) {
      const atMs = startMs + (minute + 0.5) * MINUTE_MS
      this.#passed[minute + 1] = (this.#passed[minute] ?? 0) + MINUTE_MS * computeSpeed(atMs, endMs)
    }
    this.startMs = endMs - (this.#passed[minutes] ?? 0)
  }

  /** The moment of the history that shows a market time. */
  toHistoryMs(marketMs: number): number {
    const passed = marketMs - this.startMs
    let low = 0
    let high = this.#passed.length - 1
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#passed[middle] ?? 0) <= passed) low = middle
      else high = middle
    }
    const from = this.#passed[low] ?? 0
    const to = this.#passed[low + 1] ?? 0
    const part = to > from ? (passed - from) / (to - from) : 0
    return this.#historyStartMs + (low + Math.min(1, Math.max(0, part))) * MINUTE_MS
  }

  /** The market time that is shown at a moment of the history. */
  toMarketMs(historyMs: number): number {
    const minutes = (historyMs - this.#historyStartMs) / MINUTE_MS
    const low = Math.min(this.#passed.length - 2, Math.max(0, Math.floor(minutes)))
    const from = this.#passed[low] ?? 0
    const to = this.#passed[low + 1] ?? 0
    return this.startMs + from + (minutes - low) * (to - from)
  }
}

/** Market time that passes in a ms of the history. */
function computeSpeed(atMs: number, endMs: number): number {
  const rhythm = 1 + SWING * Math.cos(((atMs - BUSIEST_MS) / DAY_MS) * 2 * Math.PI)
  const slow = rhythm / SLOWNESS
  return slow + (1 - slow) * Math.exp((atMs - endMs) / RAMP_MS)
}
