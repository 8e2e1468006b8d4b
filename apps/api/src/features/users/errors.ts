import { DomainError } from '../../errors.ts'

export class UserNotFoundError extends DomainError {
  readonly code = 'NOT_FOUND'
  constructor() {
    super('User not found.')
  }
}
