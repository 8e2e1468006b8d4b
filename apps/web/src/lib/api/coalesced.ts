export interface Coalesced {
  /** Requests a run of the function. */
  ask(): void
  /** Cancels any pending run. Later requests do nothing. */
  stop(): void
}

/**
 * Runs `run` when requested: immediately, then at most once per `everyMs`, never concurrently. A request during a run
 * schedules another run, because the current run may have read old data. Failures are ignored.
 */
export function coalesced(run: () => Promise<unknown>, everyMs: number): Coalesced {
  let isAsked = false
  let isWaiting = false
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | null = null

  const wait = () =>
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, everyMs)
    })
  const start = async () => {
    isWaiting = true
    while (isAsked && !isStopped) {
      isAsked = false
      await Promise.all([wait(), run().catch(() => {})])
    }
    isWaiting = false
  }
  return {
    ask() {
      isAsked = true
      if (!isWaiting && !isStopped) void start()
    },
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
