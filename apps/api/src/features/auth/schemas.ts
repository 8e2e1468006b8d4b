import { userId } from '@papermoon/engine'
import { z } from 'zod'
import { assertion } from '../../security/passkeys/schemas.ts'
import { factorCode } from '../../security/second-factor/factor-code.ts'
import {
  emailField,
  newEmailField,
  newPasswordField,
  passwordField,
  usernameField,
  walletField,
} from '../../validation/account-fields.ts'
import { isLinkSecret } from './reset/reset-code.ts'

/** The signed-in player, with private fields. */
export const currentUser = z
  .object({
    id: userId,
    userId: userId.describe('The same as id.'),
    username: z.string(),
    isBot: z.boolean().describe('Whether the account is declared as a bot.'),
    email: z.string().nullable(),
    wallet: z.string(),
    profilePictureUrl: z.string().nullable(),
    solBalance: z.string(),
    warning: z.string().nullable(),
    isAuthenticated: z.literal(true),
    createdAt: z.iso.datetime(),
    deletionDueAt: z.iso.datetime().nullable().describe('When the account is deleted, unless the player undoes it.'),
  })
  .meta({ id: 'CurrentUser' })
export type CurrentUser = z.output<typeof currentUser>

export const loginInput = z.object({ email: emailField, password: passwordField, totp: factorCode.optional() })
export type LoginInput = z.output<typeof loginInput>

export const passkeyLoginInput = z.object({ credential: assertion })
export type PasskeyLoginInput = z.output<typeof passkeyLoginInput>

export const registerInput = z.object({
  username: usernameField,
  email: newEmailField,
  wallet: walletField,
  password: newPasswordField,
})
export type RegisterInput = z.output<typeof registerInput>

export const forgotPasswordInput = z.object({ email: emailField })
export type ForgotPasswordInput = z.output<typeof forgotPasswordInput>

export const forgotPasswordResult = z
  .object({
    message: z.string().describe('What to do now, as one sentence; the same whether the e-mail is known or not.'),
    resetToken: z.string().optional().describe('The code itself, only where this server shows codes.'),
    isUnavailable: z.literal(true).optional().meta({ deprecated: true, description: 'No longer sent.' }),
  })
  .meta({ id: 'ForgotPasswordResult' })
export type ForgotPasswordResult = z.output<typeof forgotPasswordResult>

export const resetPasswordInput = z.object({
  token: z
    .string()
    .max(100, 'must be six digits')
    .meta({ pattern: '^\\s*([0-9]{6}|[A-Za-z0-9_-]{43})\\s*$' })
    .transform((value) => value.trim())
    .refine((value) => /^[0-9]{6}$/.test(value) || isLinkSecret(value), 'must be six digits')
    .describe('The reset code: six digits, good for 15 minutes, once. Or what follows the # of the mailed link.'),
  newPassword: newPasswordField,
  email: emailField.optional().describe('Needed where another browser asked for the code.'),
})
export type ResetPasswordInput = z.output<typeof resetPasswordInput>

export const done = z.object({ ok: z.literal(true) })
export type Done = z.output<typeof done>

export const loginResult = done
  .extend({
    recoveryCodesLeft: z.int().optional().describe('Where a recovery code was used: how many are left.'),
  })
  .meta({ id: 'LoginResult' })
export type LoginResult = z.output<typeof loginResult>
