import { ApiError } from '../errors.ts'

/** The file exceeds the limit of bytes or pixels. */
export class FileTooLargeError extends ApiError {
  readonly code = 'PAYLOAD_TOO_LARGE'
  constructor(sentence = 'The picture is too large. Please choose one of at most 5 MB.') {
    super(sentence)
  }
}

/** The object store is unreachable or refuses access. */
export class StorageAwayError extends ApiError {
  readonly code = 'STORAGE_AWAY'
  override readonly retryAfterS = 5
  constructor() {
    super('Pictures cannot be stored or read for a moment. Please try again.')
  }
}
