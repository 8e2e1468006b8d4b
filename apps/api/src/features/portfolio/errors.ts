import { ApiError } from '../../errors.ts'

/** The caller asks for another player's portfolio. */
export class NotYourPortfolioError extends ApiError {
  readonly code = 'NOT_YOURS'
  constructor() {
    super('You can only see your own portfolio.')
  }
}

/** The queue of histories is full, or the database is too slow even for the current net worth. */
export class HistoryBusyError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 2
  constructor() {
    super('Too many histories are being read at the moment. Please try again shortly.')
  }
}
