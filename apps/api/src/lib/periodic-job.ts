export interface PeriodicJob {
  /** Prevents further runs and aborts the signal of the current one; resolves when that has ended. */
  stop(): Promise<void>
}

/**
 * Runs `work` now and then every `ms`, skipping ticks while a run takes longer. Errors go to `failed`, except those of a
 * run that `stop` aborted.
 */
export function startPeriodicJob(
  ms: number,
  work: (stopping: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): PeriodicJob {
  const stopping = new AbortController()
  let current: Promise<void> | null = null
  const tick = () => {
    current ??= work(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) failed(error)
      })
      .finally(() => {
        current = null
      })
  }
  const timer = setInterval(tick, ms).unref()
  tick()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await current
    },
  }
}
