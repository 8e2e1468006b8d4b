import { ApiError } from '../../errors.ts'

/** The player whose rank is asked for does not exist. */
export class UnknownPlayerError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor() {
    super('User not found.')
  }
}
