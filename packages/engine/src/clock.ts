/** A clock that returns the current time, or a time that a test sets. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Timers and a monotonic clock, which tests can replace. */
export interface Timers {
  /** Calls `work` every `ms`, and returns a function that ends these calls. */
  every(ms: number, work: () => void): () => void
  /** Calls `work` once after `ms`, and returns a function that prevents the call. */
  after(ms: number, work: () => void): () => void
  /** Returns a time in ms that only increases, for measuring durations. */
  monotonic(): number
}

/** The machine's timers, which do not keep the process alive. */
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
