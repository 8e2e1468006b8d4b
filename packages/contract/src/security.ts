import { z } from 'zod'
import { newEmailField, newPasswordField, passwordField, walletField } from './account-fields.ts'
import { DONE, LAUNCHED_AT, TRADED_AT } from './example-market.ts'
import { totpCode } from './factor-code.ts'
import { mutation, query } from './procedure.ts'
import { ASSERTION, ASSERTION_OPTIONS, assertion, assertionOptions } from './webauthn.ts'

const currentPassword = passwordField.describe('The current password.')

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
    until: z.iso.datetime().describe('Until this time, the session can make sensitive changes.'),
  })
  .meta({ id: 'Confirmation' })
export type Confirmed = z.output<typeof confirmed>

export const changePasswordInput = z.object({
  password: currentPassword,
  newPassword: newPasswordField,
  revokeKeys: z.boolean().default(false).describe('Whether to revoke all API keys as well.'),
})
export type ChangePasswordInput = z.output<typeof changePasswordInput>

export const passwordChanged = z
  .object({
    ok: z.literal(true),
    sessionsEnded: z.int().describe('Number of other sessions ended.'),
    keysRevoked: z.int().describe('Number of API keys revoked.'),
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
    isThis: z.boolean().describe('Whether this is the current session.'),
    browser: z
      .string()
      .nullable()
      .describe('Browser and operating system, as reported by the browser. The server does not verify them.'),
    address: z.string().nullable().describe('IP address of the last use.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().describe('Last use, accurate to about 5 minutes.'),
    expiresAt: z.iso.datetime().describe('When it ends unless used again; 90 days after its start at the latest.'),
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
    expiresAt: z.iso.datetime().describe('When the emailed link expires.'),
  })
  .meta({ id: 'PendingEmail' })

export const emailState = z
  .object({
    email: z.string(),
    isVerified: z.boolean(),
    canVerify: z
      .boolean()
      .describe('Whether this server can send email. If the server cannot send email, a new address is valid at once.'),
    pending: pendingEmail.nullable().describe('New address. It becomes valid when the player opens its link.'),
  })
  .meta({ id: 'EmailState' })
export type EmailState = z.output<typeof emailState>

export const verifyEmailInput = z.object({
  token: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the end of a link that we emailed')
    .describe('Secret after the # in the emailed link.'),
})
export type VerifyEmailInput = z.output<typeof verifyEmailInput>

export const securityProcedures = {
  beginPasskeyConfirm: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    output: assertionOptions,
    rest: 'POST /api/account/confirm/passkey',
    operationId: 'beginPasskeyConfirmation',
    summary: 'Returns the options to confirm your identity with a passkey.',
    errors: ['PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE'],
    example: {
      response: {
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
      'Confirms your identity with the password, a code or a passkey. After this call, the session can make sensitive changes for 10 minutes. To change a second factor, confirm with a code or a passkey. Otherwise the error has `details.proof` `factor`.',
    errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE', 'BUSY'],
    example: { input: { password: 'a long secret' }, response: { ok: true, until: '2026-03-01T12:15:00.000Z' } },
  }),
  changePassword: mutation({
    whenSuspended: 'allowed',
    alone: true,
    input: changePasswordInput,
    output: passwordChanged,
    rest: 'POST /api/account/password',
    operationId: 'changePassword',
    summary:
      'Sets a new password, ends all other sessions, and revokes all API keys if asked. The current session gets a new cookie.',
    errors: ['WRONG_PASSWORD', 'WEAK_PASSWORD', 'BUSY'],
    example: {
      input: { password: 'a long secret', newPassword: 'another long secret', revokeKeys: true },
      response: { ok: true, sessionsEnded: 2, keysRevoked: 1 },
    },
  }),
  changeWallet: mutation({
    whenSuspended: 'allowed',
    alone: true,
    input: changeWalletInput,
    output: done,
    rest: 'PUT /api/account/wallet',
    operationId: 'changeWallet',
    summary: 'Sets the wallet for giveaway rewards.',
    errors: ['WRONG_PASSWORD', 'BUSY'],
    example: {
      input: { password: 'a long secret', wallet: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' },
      response: DONE,
    },
  }),
  email: query({
    apiKey: 'never',
    output: emailState,
    rest: 'GET /api/account/email',
    operationId: 'getEmail',
    summary: 'Returns your email address, whether it is verified, and the new address that you have not verified yet.',
    example: {
      response: { email: 'luna@papermoon.example', isVerified: true, canVerify: true, pending: null },
    },
  }),
  changeEmail: mutation({
    whenSuspended: 'allowed',
    alone: true,
    input: changeEmailInput,
    output: emailState,
    rest: 'PUT /api/account/email',
    operationId: 'changeEmail',
    summary:
      'Changes your email address. If the server can send email, the change takes effect when you open the link sent to the new address.',
    errors: ['WRONG_PASSWORD', 'EMAIL_TAKEN', 'BUSY'],
    example: {
      input: { password: 'a long secret', email: 'luna@moon.example' },
      response: {
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
      'Sends the verification link for your email address again. If all your addresses are verified, nothing happens.',
    example: {
      response: { email: 'luna@papermoon.example', isVerified: false, canVerify: true, pending: null },
    },
  }),
  verifyEmail: mutation({
    access: 'anyone',
    limit: 'attempt',
    alone: true,
    input: verifyEmailInput,
    output: done,
    rest: 'POST /api/account/email/verify',
    operationId: 'verifyEmail',
    summary: 'Verifies an email address with the secret after the # in the emailed link.',
    errors: ['EMAIL_LINK_INVALID', 'EMAIL_TAKEN'],
    example: { input: { token: 'Zk3r0uWg7hYpQ2vXn8cTbL5sMdJ1aFeRiOuKyGtVwBc' }, response: DONE },
  }),
  sessions: query({
    apiKey: 'never',
    output: z.array(session),
    rest: 'GET /api/account/sessions',
    operationId: 'listSessions',
    summary:
      'Lists at most 50 of your sessions. The current session comes first, then the most recently used sessions.',
    example: {
      response: [
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
    summary: 'Ends a session and closes its WebSockets.',
    errors: ['CONFIRMATION_NEEDED', 'NOT_FOUND'],
    example: { input: { id: '6f1c3b52-94f0-4c0a-8d52-0c3f6d1b7e21' }, response: DONE },
  }),
  endOtherSessions: mutation({
    whenSuspended: 'allowed',
    output: sessionsEnded,
    rest: 'DELETE /api/account/sessions',
    operationId: 'endOtherSessions',
    summary: 'Ends all other sessions and closes their WebSockets.',
    errors: ['CONFIRMATION_NEEDED'],
    example: { response: { ok: true, sessionsEnded: 2 } },
  }),
}
