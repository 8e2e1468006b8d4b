import { ApiError } from '../../../errors.ts'

export class EmailTakenError extends ApiError {
  readonly code = 'EMAIL_TAKEN'
  constructor() {
    super('This e-mail address is already registered.')
  }
}

/** Whether the error is the unique violation of another account's e-mail address. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email_key_key'
}
