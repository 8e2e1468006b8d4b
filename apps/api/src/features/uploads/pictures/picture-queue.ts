import { createWorkQueue, type WorkQueue } from '../../../lib/work-queue.ts'
import { PictureQueueFullError } from '../errors.ts'

/**
 * One picture at a time: decoding takes up to 330 MB and one of the four threads of Node's pool. Waiting pictures are not
 * in memory yet.
 */
export function createPictureQueue(): WorkQueue {
  return createWorkQueue({ runningMax: 1, waitingMax: 32, full: () => new PictureQueueFullError() })
}
