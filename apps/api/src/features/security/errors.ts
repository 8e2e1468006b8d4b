import { DomainError } from '../../errors.ts'

/** A signed-in player gave a password that is not theirs; unlike a failed login it says nothing of the session. */
export class WrongPasswordError extends DomainError {
  readonly code = 'WRONG_PASSWORD'
  constructor() {
    super('This is not your password.')
  }
}
