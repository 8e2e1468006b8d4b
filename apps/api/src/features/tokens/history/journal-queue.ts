import { createWorkQueue, type WorkQueue } from '../../../lib/work-queue.ts'
import { HistoryBusyError } from './errors.ts'

/** Few of the node's database connections: orders and the present need the others. */
const RUNNING_MAX = 2
const WAITING_MAX = 100

export function createJournalQueue(): WorkQueue {
  return createWorkQueue({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, full: () => new HistoryBusyError() })
}
