import { ApiError } from '../../../errors.ts'

/** One answer for an unknown e-mail and a wrong password. */
export class InvalidCredentialsError extends ApiError {
  readonly code = 'INVALID_CREDENTIALS'
  constructor() {
    super('Invalid credentials.')
  }
}

/** One answer for a code that is wrong, expired or used, or that this browser did not ask for. */
export class ResetCodeError extends ApiError {
  readonly code = 'RESET_CODE_INVALID'
  constructor() {
    super('Invalid or expired reset code.')
  }
}
