import { ApiError } from '../../../errors.ts'

/** Too many pages of history wait to be read, or too many streams are open. */
export class HistoryBusyError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 5
  constructor() {
    super('Too much history is being read right now. Please try again in a few seconds.')
  }
}

/** An address has as many streams of rows open as it may. */
export class TooManyStreamsError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS = 10
  override readonly details
  constructor(streamsMax: number) {
    super(
      `At most ${streamsMax} exports (CSV or NDJSON) at a time from one address. Please try again once one has ended.`,
    )
    this.details = { limit: 'exports', maximum: streamsMax }
  }
}
