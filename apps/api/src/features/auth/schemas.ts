import { z } from 'zod'
import { userId } from '../../ids.ts'
import { hasHidden, text } from '../../texts.ts'

export const USERNAME_MIN = 2
export const USERNAME_MAX = 32
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 200
export const WALLET_MAX = 64
export const EMAIL_MAX = 254

/** The signed-in player, as only they see themselves. */
export const currentUser = z.object({
  id: userId,
  userId: userId.describe('The same as id.'),
  username: z.string(),
  email: z.string().nullable(),
  wallet: z.string(),
  profilePictureUrl: z.string().nullable(),
  solBalance: z.string(),
  warning: z.string().nullable(),
  isAuthenticated: z.literal(true),
  createdAt: z.iso.datetime(),
})
export type CurrentUser = z.output<typeof currentUser>

const email = z
  .string()
  .max(EMAIL_MAX, `must be at most ${EMAIL_MAX} characters`)
  .transform((value) => value.normalize('NFC').trim())
  .refine((value) => value.length > 0, { message: 'is required', abort: true })
  .refine((value) => /^[^\s@]{1,64}@[^\s@]+$/.test(value) && !hasHidden(value), 'must be an e-mail address')
  .describe('An e-mail address; it is compared without regard to case.')

const newPassword = z
  .string()
  .min(PASSWORD_MIN, `must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `must be at most ${PASSWORD_MAX} characters`)

export const loginInput = z.object({
  email,
  password: z.string().min(1, 'is required').max(PASSWORD_MAX, `must be at most ${PASSWORD_MAX} characters`),
})
export type LoginInput = z.output<typeof loginInput>

export const registerInput = z.object({
  username: text('username', USERNAME_MAX, USERNAME_MIN),
  email,
  wallet: z
    .string()
    .max(WALLET_MAX * 2, `must be at most ${WALLET_MAX} characters`)
    .meta({ minLength: 1, maxLength: WALLET_MAX, pattern: '^[ -~]*$' })
    .transform((value) => value.trim())
    .refine((value) => value.length > 0, { message: 'is required', abort: true })
    .refine((value) => value.length <= WALLET_MAX, `must be at most ${WALLET_MAX} characters`)
    .refine((value) => /^[\x20-\x7e]*$/.test(value), 'must be printable ASCII characters')
    .describe('Where giveaway rewards go: 1 to 64 printable ASCII characters.'),
  password: newPassword,
})
export type RegisterInput = z.output<typeof registerInput>

export const forgotPasswordInput = z.object({ email })
export type ForgotPasswordInput = z.output<typeof forgotPasswordInput>

export const forgotPasswordResult = z.object({
  message: z.string().describe('What to do now, as one sentence; the same whether the e-mail is known or not.'),
  resetToken: z.string().optional().describe('The code itself, only where this server shows codes.'),
})
export type ForgotPasswordResult = z.output<typeof forgotPasswordResult>

export const resetPasswordInput = z.object({
  token: z
    .string()
    .meta({ pattern: '^\\s*[0-9]{6}\\s*$' })
    .transform((value) => value.trim())
    .refine((value) => /^[0-9]{6}$/.test(value), 'must be six digits')
    .describe('The reset code: six digits, good for 15 minutes, once.'),
  newPassword,
  email: email.optional().describe('Needed where another browser asked for the code.'),
})
export type ResetPasswordInput = z.output<typeof resetPasswordInput>

export const done = z.object({ ok: z.literal(true) })
export type Done = z.output<typeof done>
