/** Timers and a monotonic clock. Tests inject their own timers and step them. */
export interface Timers {
  /** Calls `work` every `ms`. Returns a function that stops the calls. */
  every(ms: number, work: () => void): () => void
  /** Calls `work` once, after `ms`. Returns a function that cancels the call. */
  after(ms: number, work: () => void): () => void
  /** Returns milliseconds that only increase, for measuring durations. */
  monotonic(): number
}

/** The machine's timers. They do not keep a process alive. */
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
