import { defineError } from '../../../errors.ts'

export class EmailTakenError extends defineError('EMAIL_TAKEN', 'This e-mail address is already registered.') {}

/** Whether the error is the unique violation of another account's e-mail address. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email_key_key'
}
