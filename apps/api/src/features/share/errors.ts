import { ApiError } from '../../errors.ts'

/** More pictures are asked for than are drawn. */
export class ShareQueueFullError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 5
  constructor() {
    super('Too many pictures are being drawn. Please try again in 5 seconds.')
  }
}
