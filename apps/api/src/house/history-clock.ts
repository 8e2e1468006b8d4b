import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'

/**
 * How many times slower than live the market runs through most of a history, so that two weeks have about ten thousand
 * trades.
 */
const SLOWNESS = 40
/** Time constant with which the market approaches live speed towards the history's end, in ms. */
const RAMP_MS = 1.2 * HOUR_MS
/** Day and night: the amplitude around the mean, and the busiest hour (UTC), the same as for live bots. */
const SWING = 0.5
const BUSIEST_MS = 20 * HOUR_MS

/**
 * Stretches the time that bots live through (market time) over a longer history. Bots react to how fast others trade,
 * so they live at their usual speed, and the history shows that speed slowed down: most at night, and not at all at the
 * end, where both times are equal.
 */
export class HistoryClock {
  /** Market time at the start, in ms. */
  readonly startMs: number
  readonly #historyStartMs: number
  /** Market time that has passed from the start to the beginning of each minute, in ms. */
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

  /** Converts a market time to the time in the history. */
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

  /** Converts a time in the history to the market time. */
  toMarketMs(historyMs: number): number {
    const minutes = (historyMs - this.#historyStartMs) / MINUTE_MS
    const low = Math.min(this.#passed.length - 2, Math.max(0, Math.floor(minutes)))
    const from = this.#passed[low] ?? 0
    const to = this.#passed[low + 1] ?? 0
    return this.startMs + from + (minutes - low) * (to - from)
  }
}

/** Returns the market time that passes in one ms of the history. */
function computeSpeed(atMs: number, endMs: number): number {
  const rhythm = 1 + SWING * Math.cos(((atMs - BUSIEST_MS) / DAY_MS) * 2 * Math.PI)
  const slow = rhythm / SLOWNESS
  return slow + (1 - slow) * Math.exp((atMs - endMs) / RAMP_MS)
}
