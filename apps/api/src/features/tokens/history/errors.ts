import { ApiError } from '../../../errors.ts'

/** Too many pages of history wait to be read, or too many streams are open. */
export class HistoryBusyError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 5
  constructor() {
    super('Too much history is being read right now. Please try again in a few seconds.')
  }
}
