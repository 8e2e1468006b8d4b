import { createWorkQueue, type WorkQueue } from '../../../lib/work-queue.ts'
import { PictureQueueFullError } from '../errors.ts'

/** One picture at a time: decoding takes a thread of Node's pool of four and up to 330 MB. Those waiting hold nothing yet. */
export function createPictureWork(): WorkQueue {
  return createWorkQueue({ runningMax: 1, waitingMax: 32, full: () => new PictureQueueFullError() })
}
