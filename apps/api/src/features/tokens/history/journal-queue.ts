import type { Context } from '../../../context.ts'
import { createWorkQueue, type WorkQueue } from '../../../lib/work-queue.ts'
import { HistoryBusyError } from './errors.ts'

/** Few of the node's database connections: orders and the present need the others. */
const RUNNING_MAX = 2
const WAITING_MAX = 100

/** Who reads a part of the journal, and where. */
export type JournalReader = Pick<Context, 'app' | 'ip'>

export function createJournalQueue(): WorkQueue {
  return createWorkQueue({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, full: () => new HistoryBusyError() })
}
