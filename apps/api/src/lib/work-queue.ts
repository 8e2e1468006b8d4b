import PQueue from 'p-queue'

/** Runs work, at most so many at a time, in order of arrival. Rejects work for which there is no room to wait. */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>

interface WorkQueueOptions {
  readonly runningMax: number
  readonly waitingMax: number
  /** The error for work that finds the queue full. */
  full(): Error
}

export function createWorkQueue({ runningMax, waitingMax, full }: WorkQueueOptions): WorkQueue {
  const queue = new PQueue({ concurrency: runningMax })
  return async (work) => {
    if (queue.pending >= runningMax && queue.size >= waitingMax) throw full()
    return await queue.add(work)
  }
}
