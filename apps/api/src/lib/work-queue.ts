/** Runs work, a bounded number at once while a bounded number waits; rejects what does not fit. */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>

interface Bounds {
  readonly runningMax: number
  readonly waitingMax: number
  /** What somebody is told for whom there is no room. */
  full(): Error
}

/** A queue in order of arrival. */
export function createWorkQueue({ runningMax, waitingMax, full }: Bounds): WorkQueue {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw full()
      // Whoever finishes hands over the place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
