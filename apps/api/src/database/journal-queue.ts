import type { Context } from '../context.ts'
import { defineError } from '../errors.ts'
import { createWorkQueue } from '../lib/work-queue.ts'

/** Few of the node's database connections: orders and the present need the others. */
const RUNNING_MAX = 2
const WAITING_MAX = 100

/** Who reads a part of the journal, and where. */
export type JournalReader = Pick<Context, 'app' | 'ip'>

/** Too many pages of history wait to be read, or too many streams are open. */
export class HistoryBusyError extends defineError(
  'BUSY',
  'Too much history is being read right now. Please try again in a few seconds.',
  { retryAfterS: 5 },
) {}

/** Reads pages of the journal and of holders, a few at a time. */
export const journalQueue = createWorkQueue({
  runningMax: RUNNING_MAX,
  waitingMax: WAITING_MAX,
  full: () => new HistoryBusyError(),
})
