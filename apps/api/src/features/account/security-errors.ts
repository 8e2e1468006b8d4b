import { ApiError } from '../../errors.ts'

/** A signed-in player gave a wrong password; unlike a failed login, the session stays valid. */
export class WrongPasswordError extends ApiError {
  readonly code = 'WRONG_PASSWORD'
  constructor() {
    super('This is not your password.')
  }
}

/** One answer for a link that is wrong, expired, used, or replaced by a newer one. */
export class EmailLinkError extends ApiError {
  readonly code = 'EMAIL_LINK_INVALID'
  constructor() {
    super('This link is good no more. You can ask for a new one in the settings.')
  }
}
