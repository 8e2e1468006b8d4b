import { z } from 'zod'
import { assertion } from '../../security/passkeys/schemas.ts'
import { totpCode } from '../../security/second-factor/factor-code.ts'
import { newEmailField, newPasswordField, passwordField, walletField } from '../../validation/account-fields.ts'

const currentPassword = passwordField.describe('The password that the account has now.')

export const done = z.object({ ok: z.literal(true) }).meta({ id: 'Done' })
export type Done = z.output<typeof done>

export const confirmInput = z
  .object({
    password: currentPassword.optional(),
    totp: totpCode.optional(),
    passkey: assertion.optional(),
  })
  .refine(
    ({ password, totp, passkey }) => [password, totp, passkey].filter((proof) => proof !== undefined).length === 1,
    { message: 'must be exactly one of password, totp and passkey', path: ['proof'] },
  )
export type ConfirmInput = z.output<typeof confirmInput>

export const confirmed = z
  .object({
    ok: z.literal(true),
    until: z.iso.datetime().describe('Until then, no dangerous act of this session asks again.'),
  })
  .meta({ id: 'Confirmation' })
export type Confirmed = z.output<typeof confirmed>

export const changePasswordInput = z.object({
  password: currentPassword,
  newPassword: newPasswordField,
  revokeKeys: z.boolean().default(false).describe('Whether all API keys end, too.'),
})
export type ChangePasswordInput = z.output<typeof changePasswordInput>

export const passwordChanged = z
  .object({
    ok: z.literal(true),
    sessionsEnded: z.int().describe('Other sessions that were ended.'),
    keysRevoked: z.int().describe('API keys that were ended.'),
  })
  .meta({ id: 'PasswordChange' })
export type PasswordChanged = z.output<typeof passwordChanged>

export const changeWalletInput = z.object({ password: currentPassword, wallet: walletField })
export type ChangeWalletInput = z.output<typeof changeWalletInput>

export const sessionId = z.uuid('must be the id of a session').brand<'SessionId'>()
export type SessionId = z.output<typeof sessionId>

export const session = z
  .object({
    id: sessionId,
    isThis: z.boolean().describe('Whether it is the one that asks.'),
    browser: z.string().nullable().describe('What it says that it is, in words; nobody checks it.'),
    address: z.string().nullable().describe('Where it was last used from.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().describe('To some 5 minutes.'),
    expiresAt: z.iso.datetime().describe('When it ends if it is not used; 90 days after it began at the latest.'),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof session>

export const endSessionInput = z.object({ id: sessionId })

export const sessionsEnded = z.object({ ok: z.literal(true), sessionsEnded: z.int() }).meta({ id: 'SessionsEnded' })
export type SessionsEnded = z.output<typeof sessionsEnded>

export const changeEmailInput = z.object({ password: currentPassword, email: newEmailField })
export type ChangeEmailInput = z.output<typeof changeEmailInput>

const pendingEmail = z
  .object({
    email: z.string(),
    expiresAt: z.iso.datetime().describe('Until when the link that was mailed to it is good.'),
  })
  .meta({ id: 'PendingEmail' })

export const emailState = z
  .object({
    email: z.string(),
    isVerified: z.boolean(),
    canVerify: z.boolean().describe('Whether this server mails links; without, an address counts as it is written.'),
    pending: pendingEmail.nullable().describe('An address that becomes the account’s once its link is opened.'),
  })
  .meta({ id: 'EmailState' })
export type EmailState = z.output<typeof emailState>

export const verifyEmailInput = z.object({
  token: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the end of a link that we mailed')
    .describe('The part of the link after the #.'),
})
export type VerifyEmailInput = z.output<typeof verifyEmailInput>
