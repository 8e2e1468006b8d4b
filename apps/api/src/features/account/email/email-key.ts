import { defineError } from '../../../errors.ts'

/** The key by which email addresses are unique: case-insensitive. */
export function toEmailKey(email: string): string {
  return email.toLowerCase()
}

export class EmailTakenError extends defineError('EMAIL_TAKEN', 'This email address is already registered.') {}

/** Whether the error is the unique violation of another account's email address. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email_key_key'
}
