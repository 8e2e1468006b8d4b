export interface Coalesced {
  /** Requests a run. */
  ask(): void
  /** Cancels any pending run; later requests do nothing. */
  stop(): void
}

/**
 * Runs `run` on request: immediately, then at most once per `everyMs`, never concurrently. A request during a run
 * schedules another one, since the current run may have read old data. Failures are ignored.
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
