import type { Timers } from '@papermoon/engine'

/** Time in ms after which the next run starts even if the last one has not ended. */
const DEADLINE_MS = 300_000

export interface PeriodicJob {
  /** Runs the job once, unless it is already running. Resolves when the current run has ended. */
  run(): Promise<void>
  /**
   * Prevents further runs of the job, and aborts the signal of the current run. The promise resolves when the current
   * run has ended.
   */
  stop(): Promise<void>
  /** Seconds since the last run without an error, or since the start if there was none. */
  getSuccessAge(): number
}

interface Period {
  readonly timers: Timers
  readonly everyMs: number
  /** Max time for a run in ms, by default five minutes. A run that takes longer is aborted. */
  readonly deadlineMs?: number
  /** Called with the error of a failed run, unless `stop` aborted the run. */
  failed(error: unknown): void
}

/**
 * Runs `work` every `everyMs`. The first run comes one period after the start, so that it does not delay the first
 * calls. A run that is due is skipped while another one is still going.
 */
export function startPeriodicJob(
  { timers, everyMs, deadlineMs = DEADLINE_MS, failed }: Period,
  work: (stopping: AbortSignal) => Promise<unknown>,
): PeriodicJob {
  const stopping = new AbortController()
  let current: { readonly startedMs: number; readonly late: AbortController; readonly ended: Promise<void> } | null =
    null
  let succeededMs = timers.monotonic()
  const run = () => {
    if (current !== null) return current.ended
    const late = new AbortController()
    const ended = work(AbortSignal.any([stopping.signal, late.signal]))
      .then(() => {
        succeededMs = timers.monotonic()
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted && !late.signal.aborted) failed(error)
      })
      .finally(() => {
        if (current?.late === late) current = null
      })
    current = { startedMs: timers.monotonic(), late, ended }
    return ended
  }
  const tick = () => {
    if (current !== null && timers.monotonic() - current.startedMs >= deadlineMs) {
      current.late.abort()
      current = null
      failed(new Error(`A run did not end within ${deadlineMs / 1_000} seconds.`))
    }
    void run()
  }
  const end = timers.every(everyMs, tick)
  return {
    run,
    stop: async () => {
      end()
      stopping.abort()
      await current?.ended
    },
    getSuccessAge: () => (timers.monotonic() - succeededMs) / 1_000,
  }
}
