import { createWorkQueue, type WorkQueue } from '../../../lib/work-queue.ts'
import { HistoryBusyError } from '../errors.ts'

/** Runs two at a time: a history is the most expensive read without a rate limit of its own. */
export function createHistoryQueue(): WorkQueue {
  return createWorkQueue({ runningMax: 2, waitingMax: 64, full: () => new HistoryBusyError() })
}
