import type { Timers } from '@papermoon/engine'

export interface PeriodicJob {
  /** Runs once unless a run is under way; resolves when that has ended. */
  run(): Promise<void>
  /** Prevents further runs and aborts the signal of the current one; resolves when that has ended. */
  stop(): Promise<void>
}

interface Period {
  readonly timers: Timers
  readonly everyMs: number
  /** Takes the errors of runs, except those of a run that `stop` aborted. */
  failed(error: unknown): void
}

/** Runs `work` now and then every `everyMs`, skipping ticks while a run takes longer. */
export function startPeriodicJob(
  { timers, everyMs, failed }: Period,
  work: (stopping: AbortSignal) => Promise<void>,
): PeriodicJob {
  const stopping = new AbortController()
  let current: Promise<void> | null = null
  const run = () => {
    current ??= work(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) failed(error)
      })
      .finally(() => {
        current = null
      })
    return current
  }
  const end = timers.every(everyMs, () => void run())
  void run()
  return {
    run,
    stop: async () => {
      end()
      stopping.abort()
      await current
    },
  }
}
