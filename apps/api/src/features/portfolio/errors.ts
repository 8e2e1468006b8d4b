import { ApiError } from '../../errors.ts'

/** Somebody asks for the portfolio of another player. */
export class NotYourPortfolioError extends ApiError {
  readonly code = 'NOT_YOURS'
  constructor() {
    super('You can only see your own portfolio.')
  }
}

/** Too many histories are being read. */
export class HistoryBusyError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 2
  constructor() {
    super('Too many histories are being read at the moment. Please try again shortly.')
  }
}
