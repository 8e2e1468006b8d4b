import { ApiError } from '../errors.ts'

/** A file over the limit, by its bytes or by its pixels. */
export class FileTooLargeError extends ApiError {
  readonly code = 'PAYLOAD_TOO_LARGE'
  constructor(sentence = 'The picture is too large. Please choose one of at most 5 MB.') {
    super(sentence)
  }
}

/** The object store does not answer, or refuses us. */
export class StorageAwayError extends ApiError {
  readonly code = 'STORAGE_AWAY'
  override readonly retryAfterS = 5
  constructor() {
    super('Pictures cannot be stored or read for a moment. Please try again.')
  }
}
