import { ApiError } from '../../errors.ts'

/** The queue of pictures is full. */
export class ShareQueueFullError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 5
  constructor() {
    super('Too many pictures are being drawn. Please try again in 5 seconds.')
  }
}
