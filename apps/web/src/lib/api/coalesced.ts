/**
 * Runs `run` on request: at once, then at most once per `everyMs`, and never twice at the same time. A request during a
 * run schedules another run, because the current one may have read old data. A failed run is ignored.
 */
export function coalesced(run: () => Promise<unknown>, everyMs: number) {
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
    /** Requests a run of the coalesced function. */
    ask() {
      isAsked = true
      if (!isWaiting && !isStopped) void start()
    },
    /** Cancels a pending run of the coalesced function, and ignores later requests. */
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
