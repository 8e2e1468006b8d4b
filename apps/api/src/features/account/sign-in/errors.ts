import { defineError } from '../../../errors.ts'

/** One answer for an unknown e-mail and a wrong password. */
export class InvalidCredentialsError extends defineError('INVALID_CREDENTIALS', 'Invalid credentials.') {}

/** One answer for a code that is wrong, expired or used, or that this browser did not ask for. */
export class ResetCodeError extends defineError('RESET_CODE_INVALID', 'Invalid or expired reset code.') {}
