import { ApiError } from '../../../errors.ts'

export class PushUnavailableError extends ApiError {
  readonly code = 'PUSH_UNAVAILABLE'
  constructor() {
    super('This server sends no push messages.')
  }
}
