/** A clock that returns the current time, or a time that a test sets. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Timers and a monotonic clock. Tests can replace them. */
export interface Timers {
  /** Calls `work` every `ms`. Returns a function that stops this. */
  every(ms: number, work: () => void): () => void
  /** Calls `work` once after `ms`. Returns a function that prevents this. */
  after(ms: number, work: () => void): () => void
  /** Returns a time in ms that only increases. Use it to measure durations. */
  monotonic(): number
}

/** The machine's timers. They do not keep the process alive. */
export const systemTimers: Timers = {
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref()
    return () => clearInterval(timer)
  },
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref()
    return () => clearTimeout(timer)
  },
  monotonic: () => performance.now(),
}

let last = { ms: Number.NaN, text: '' }

/** Formats a Unix time in ms as ISO 8601. Caches the last result, because all trades of a batch have the same time. */
export function formatTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}
