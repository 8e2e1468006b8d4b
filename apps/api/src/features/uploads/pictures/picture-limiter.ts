import { type BoundedWork, boundedWork } from '../../../lib/limiter.ts'
import { PictureQueueFullError } from '../errors.ts'

/** One picture at a time: decoding takes a thread of Node's pool of four and up to 330 MB. Those waiting hold nothing yet. */
export function createPictureWork(): BoundedWork {
  return boundedWork({ runningMax: 1, waitingMax: 32, full: () => new PictureQueueFullError() })
}
