import { z } from 'zod'
import { hasHiddenCharacters, text } from './text.ts'

const USERNAME_MIN = 2
const USERNAME_MAX = 32
const WALLET_MAX = 64
const EMAIL_MAX = 254
const PASSWORD_MIN = 6
const PASSWORD_MAX = 200

export const usernameField = text('username', USERNAME_MAX, USERNAME_MIN)

export const emailField = z
  .string()
  .max(EMAIL_MAX, `must be at most ${EMAIL_MAX} characters`)
  .transform((value) => value.normalize('NFC').trim())
  .refine((value) => value.length > 0, { message: 'is required', abort: true })
  .refine((value) => /^[^\s@]{1,64}@[^\s@]+$/.test(value) && !hasHiddenCharacters(value), 'must be an email address')
  .describe('Email address, not case-sensitive.')

/**
 * The email field for new addresses. For existing accounts, use `emailField`, because their addresses may be longer or
 * unusual.
 */
export const newEmailField = emailField.refine(isMailAddress, 'must be an email address')

/** Checks an email address in the same way as browsers, but allows letters and digits of every script. */
function isMailAddress(value: string): boolean {
  return z.regexes.html5Email.test(value.replaceAll(/[\p{L}\p{M}\p{N}]/gu, 'x'))
}

export const newPasswordField = z
  .string()
  .min(PASSWORD_MIN, `must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `must be at most ${PASSWORD_MAX} characters`)

/** An existing password, which may be shorter than a new password can be. */
export const passwordField = z
  .string()
  .min(1, 'is required')
  .max(PASSWORD_MAX, `must be at most ${PASSWORD_MAX} characters`)

export const walletField = z
  .string()
  .max(WALLET_MAX * 2, `must be at most ${WALLET_MAX} characters`)
  .meta({ minLength: 1, maxLength: WALLET_MAX, pattern: '^[ -~]*$' })
  .transform((value) => value.trim())
  .refine((value) => value.length > 0, { message: 'is required', abort: true })
  .refine((value) => value.length <= WALLET_MAX, `must be at most ${WALLET_MAX} characters`)
  .refine((value) => /^[\x20-\x7e]*$/.test(value), 'must be printable ASCII characters')
  .describe('Wallet for giveaway rewards: 1 to 64 printable ASCII characters.')
