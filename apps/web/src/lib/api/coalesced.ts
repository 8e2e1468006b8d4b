export interface Coalesced {
  /** Asks for a run. */
  ask(): void
  /** Nothing runs afterwards. */
  stop(): void
}

/**
 * Runs `run` when it is asked for: at once, then at most once in `everyMs`, and never two at a time. Whoever asks while
 * it runs gets another run: the one under way may have looked too early. A run that fails is over like any other.
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
