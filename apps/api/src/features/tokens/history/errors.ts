import { ApiError } from '../../../errors.ts'

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
