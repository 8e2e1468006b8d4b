import { ApiError } from '../errors.ts'

export class UsernameTakenError extends ApiError {
  readonly code = 'USERNAME_TAKEN'
  constructor() {
    super('This username, or one that looks like it, is already taken.')
  }
}
