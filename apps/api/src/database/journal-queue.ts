import type { Context } from '../context.ts'
import { defineError } from '../errors.ts'
import { createWorkQueue } from '../lib/work-queue.ts'

/** Max number of the node's database connections that read the journal. */
const RUNNING_MAX = 2
const WAITING_MAX = 100

/** The app, and the caller's IP address. */
export type JournalReader = Pick<Context, 'app' | 'ip'>

/** Too many reads of history are waiting, or too many streams are open. */
export class HistoryBusyError extends defineError(
  'BUSY',
  'Too much history is being read right now. Please try again in a few seconds.',
  { retryAfterS: 5 },
) {}

/** Queues reads of journal pages and of holders. Only a few of these reads run at a time. */
export const journalQueue = createWorkQueue({
  runningMax: RUNNING_MAX,
  waitingMax: WAITING_MAX,
  full: () => new HistoryBusyError(),
})
