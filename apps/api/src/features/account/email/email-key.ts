import { defineError } from '../../../errors.ts'

/** Returns the case-insensitive key by which email addresses are unique. */
export function toEmailKey(email: string): string {
  return email.toLowerCase()
}

export class EmailTakenError extends defineError('EMAIL_TAKEN', 'This email address is already registered.') {}

/** Returns whether the error is a unique violation because another account has the email address. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email_key_key'
}
