/** Rounds of work, until they are stopped. */
export interface PeriodicJob {
  /** Resolves when a round under way is done or given up; no other is begun. */
  stop(): Promise<void>
}

/**
 * Does `work` at once and then every so many ms; a round that takes longer is let end first. What it throws is told to `failed`,
 * unless it was being stopped.
 */
export function startPeriodicJob(
  ms: number,
  work: (stopping: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): PeriodicJob {
  const stopping = new AbortController()
  let round: Promise<void> | null = null
  const look = () => {
    round ??= work(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) failed(error)
      })
      .finally(() => {
        round = null
      })
  }
  const timer = setInterval(look, ms).unref()
  look()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await round
    },
  }
}
