import { z } from 'zod'
import { newEmailField, newPasswordField, passwordField, walletField } from './account-fields.ts'
import { DONE, LAUNCHED_AT, TRADED_AT } from './example-market.ts'
import { totpCode } from './factor-code.ts'
import { mutation, query } from './procedure.ts'
import { ASSERTION, ASSERTION_OPTIONS, assertion, assertionOptions } from './webauthn.ts'

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

export const securityProcedures = {
  beginPasskeyConfirm: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    output: assertionOptions,
    rest: 'POST /api/account/confirm/passkey',
    operationId: 'beginPasskeyConfirmation',
    summary: 'What a browser needs to prove with a passkey that it is still the player.',
    errors: ['PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE'],
    example: {
      answer: {
        ...ASSERTION_OPTIONS,
        allowCredentials: [{ id: ASSERTION.id, type: 'public-key', transports: ['internal'] }],
      },
    },
  }),
  confirm: mutation({
    whenSuspended: 'allowed',
    alone: true,
    input: confirmInput,
    output: confirmed,
    rest: 'POST /api/account/confirm',
    operationId: 'confirmIdentity',
    summary:
      'Proves with the password, a code or a passkey that it is still the player; for 10 minutes this session may do dangerous things. Changes of second factors take a code or a passkey where the account has one: `details.proof` of the refusal is `factor`.',
    errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE', 'BUSY'],
    example: { input: { password: 'a long secret' }, answer: { ok: true, until: '2026-03-01T12:15:00.000Z' } },
  }),
  changePassword: mutation({
    whenSuspended: 'allowed',
    alone: true,
    input: changePasswordInput,
    output: passwordChanged,
    rest: 'POST /api/account/password',
    operationId: 'changePassword',
    summary:
      'Sets a new password and ends all other sessions, and all API keys if asked; this session gets a new cookie.',
    errors: ['WRONG_PASSWORD', 'WEAK_PASSWORD', 'BUSY'],
    example: {
      input: { password: 'a long secret', newPassword: 'another long secret', revokeKeys: true },
      answer: { ok: true, sessionsEnded: 2, keysRevoked: 1 },
    },
  }),
  changeWallet: mutation({
    whenSuspended: 'allowed',
    alone: true,
    input: changeWalletInput,
    output: done,
    rest: 'PUT /api/account/wallet',
    operationId: 'changeWallet',
    summary: 'Sets the wallet that giveaway rewards go to.',
    errors: ['WRONG_PASSWORD', 'BUSY'],
    example: {
      input: { password: 'a long secret', wallet: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' },
      answer: DONE,
    },
  }),
  email: query({
    apiKey: 'never',
    output: emailState,
    rest: 'GET /api/account/email',
    operationId: 'getEmail',
    summary: 'One’s e-mail address, whether it is verified, and the one that is to replace it.',
    example: {
      answer: { email: 'luna@papermoon.example', isVerified: true, canVerify: true, pending: null },
    },
  }),
  changeEmail: mutation({
    whenSuspended: 'allowed',
    alone: true,
    input: changeEmailInput,
    output: emailState,
    rest: 'PUT /api/account/email',
    operationId: 'changeEmail',
    summary: 'Sets another e-mail address; where the server mails links, once the one that goes to it is opened.',
    errors: ['WRONG_PASSWORD', 'EMAIL_TAKEN', 'BUSY'],
    example: {
      input: { password: 'a long secret', email: 'luna@moon.example' },
      answer: {
        email: 'luna@papermoon.example',
        isVerified: true,
        canVerify: true,
        pending: { email: 'luna@moon.example', expiresAt: '2026-03-02T12:00:00.000Z' },
      },
    },
  }),
  sendEmailLink: mutation({
    whenSuspended: 'allowed',
    output: emailState,
    rest: 'POST /api/account/email/link',
    operationId: 'sendEmailLink',
    summary:
      'Mails the link that verifies one’s e-mail address once more; does nothing where there is nothing to verify.',
    example: {
      answer: { email: 'luna@papermoon.example', isVerified: false, canVerify: true, pending: null },
    },
  }),
  verifyEmail: mutation({
    access: 'anyone',
    limit: 'confirm',
    alone: true,
    input: verifyEmailInput,
    output: done,
    rest: 'POST /api/account/email/verify',
    operationId: 'verifyEmail',
    summary: 'Verifies an e-mail address with the end of the link that was mailed to it.',
    errors: ['EMAIL_LINK_INVALID', 'EMAIL_TAKEN'],
    example: { input: { token: 'Zk3r0uWg7hYpQ2vXn8cTbL5sMdJ1aFeRiOuKyGtVwBc' }, answer: DONE },
  }),
  sessions: query({
    apiKey: 'never',
    output: z.array(session),
    rest: 'GET /api/account/sessions',
    operationId: 'listSessions',
    summary: 'Where one is signed in: this session first, then the last used; at most 50.',
    example: {
      answer: [
        {
          id: '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e21',
          isThis: true,
          browser: 'Firefox 144 on Linux',
          address: '203.0.113.7',
          createdAt: LAUNCHED_AT,
          lastUsedAt: TRADED_AT,
          expiresAt: '2026-03-31T12:05:00.000Z',
        },
      ],
    },
  }),
  endSession: mutation({
    whenSuspended: 'allowed',
    input: z.object({ id: sessionId }),
    output: done,
    rest: 'DELETE /api/account/sessions/{id}',
    operationId: 'endSession',
    summary: 'Ends a session and its live sockets.',
    errors: ['CONFIRMATION_NEEDED', 'NOT_FOUND'],
    example: { input: { id: '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e21' }, answer: DONE },
  }),
  endOtherSessions: mutation({
    whenSuspended: 'allowed',
    output: sessionsEnded,
    rest: 'DELETE /api/account/sessions',
    operationId: 'endOtherSessions',
    summary: 'Ends all sessions but this one, and their live sockets.',
    errors: ['CONFIRMATION_NEEDED'],
    example: { answer: { ok: true, sessionsEnded: 2 } },
  }),
}
