import { ApiError } from '../../errors.ts'

export class EmailTakenError extends ApiError {
  readonly code = 'EMAIL_TAKEN'
  constructor() {
    super('This e-mail address is already registered.')
  }
}

/** Whether the database refused a row since somebody else has its e-mail address. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email_key_key'
}
