/** Timers and a monotonic clock. Tests inject their own and step it. */
export interface Timers {
  /** Calls `work` each `ms`. Returns the function that ends it. */
  every(ms: number, work: () => void): () => void
  /** Calls `work` once, in `ms`. Returns the function that cancels it. */
  after(ms: number, work: () => void): () => void
  /** Milliseconds that only grow, for durations. */
  monotonic(): number
}

/** The machine's. They do not keep a process alive. */
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
