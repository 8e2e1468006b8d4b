import { ApiError, defineError } from '../../../errors.ts'

/** The token has no entry with this sequence number yet. */
export class MomentNotFoundError extends ApiError {
  readonly code = 'MOMENT_NOT_FOUND'
  constructor(lastSeq: number) {
    super(`This token has no event with that number. Its latest event is ${lastSeq}.`)
  }
}

/** Too many past states are being read, or the checkpoints for this one are still being written. */
export class PastBusyError extends defineError(
  'BUSY',
  'This token’s history is not ready yet. Please try again in 2 seconds.',
  { retryAfterS: 2 },
) {}
