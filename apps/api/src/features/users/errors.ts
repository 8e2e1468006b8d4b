import { ApiError } from '../../errors.ts'

export class UserNotFoundError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor() {
    super('User not found.')
  }
}
