import { ApiError, defineError } from '../errors.ts'

/** The file exceeds the limit of bytes or pixels. */
export class FileTooLargeError extends ApiError {
  readonly code = 'PAYLOAD_TOO_LARGE'
  constructor(sentence = 'The picture is too large. Please choose one of at most 5 MB.') {
    super(sentence)
  }
}

/** The object store is unreachable or refuses access. */
export class StorageAwayError extends defineError(
  'STORAGE_AWAY',
  'Could not store or read the picture. Please try again in a moment.',
  { retryAfterS: 5 },
) {}
