import { createWorkQueue, type WorkQueue } from '../../../lib/work-queue.ts'
import { PastBusyError } from './errors.ts'

/** Few of the node's database connections: orders and the present need the others. */
const RUNNING_MAX = 3
const WAITING_MAX = 100

export function createPastQueue(): WorkQueue {
  return createWorkQueue({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, full: () => new PastBusyError() })
}
