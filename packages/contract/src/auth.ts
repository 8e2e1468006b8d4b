import { z } from 'zod'
import {
  emailField,
  newEmailField,
  newPasswordField,
  passwordField,
  usernameField,
  walletField,
} from './account-fields.ts'
import { DONE, LAUNCHED_AT } from './example-market.ts'
import { factorCode } from './factor-code.ts'
import { invite } from './fairs.ts'
import { userId } from './ids.ts'
import { mutation, query } from './procedure.ts'
import { decimal, ok } from './shapes.ts'
import { ASSERTION, ASSERTION_OPTIONS, assertion, assertionOptions } from './webauthn.ts'

export const currentUser = z
  .object({
    id: userId,
    userId: userId.describe('The player’s id, same as `id`.'),
    username: z.string(),
    isBot: z.boolean().describe('Whether the player declared the account a bot.'),
    email: z.string().nullable(),
    wallet: z.string(),
    profilePictureUrl: z.string().nullable(),
    solBalance: decimal,
    warning: z.string().nullable(),
    isAuthenticated: z.literal(true),
    createdAt: z.iso.datetime(),
    deletionDueAt: z.iso
      .datetime()
      .nullable()
      .describe('When the account will be deleted, unless the player cancels it.'),
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
  invite: invite.optional(),
})
export type RegisterInput = z.output<typeof registerInput>

export const forgotPasswordInput = z.object({ email: emailField })
export type ForgotPasswordInput = z.output<typeof forgotPasswordInput>

export const forgotPasswordResult = z
  .object({
    message: z
      .string()
      .describe(
        'The next step for the player. The message does not depend on whether an account has this email address.',
      ),
    resetToken: z.string().optional().describe('The reset code, if this server shows codes.'),
    isUnavailable: z.literal(true).optional().describe('true if this server cannot send email.'),
  })
  .meta({ id: 'ForgotPasswordResult' })
export type ForgotPasswordResult = z.output<typeof forgotPasswordResult>

/** Returns whether a token is the secret of a mailed link and not a six-digit code. */
export function isLinkSecret(token: string): boolean {
  return /^[\w-]{43}$/.test(token)
}

export const resetPasswordInput = z.object({
  token: z
    .string()
    .max(100, 'must be six digits')
    .meta({ pattern: '^\\s*([0-9]{6}|[A-Za-z0-9_-]{43})\\s*$' })
    .transform((value) => value.trim())
    .refine((value) => /^[0-9]{6}$/.test(value) || isLinkSecret(value), 'must be six digits')
    .describe(
      'The six-digit reset code, or the secret after the # in the emailed link. A code works once, for 15 minutes.',
    ),
  newPassword: newPasswordField,
  email: emailField.optional().describe('Required if the code was requested in another browser.'),
})
export type ResetPasswordInput = z.output<typeof resetPasswordInput>

export type Done = z.output<typeof ok>

export const loginResult = ok
  .extend({
    recoveryCodesLeft: z.int().optional().describe('Number of recovery codes left, if the login used one.'),
  })
  .meta({ id: 'LoginResult' })
export type LoginResult = z.output<typeof loginResult>

export const authProcedures = {
  me: query({
    access: 'guestOrPlayer',
    output: currentUser.nullable(),
    rest: 'GET /api/auth/user',
    operationId: 'getCurrentUser',
    refusesGuests: true,
    summary: 'Returns the logged-in player. Guests get 401.',
    example: {
      response: {
        id: 3,
        userId: 3,
        username: 'luna',
        isBot: false,
        email: 'luna@example.org',
        wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
        profilePictureUrl: null,
        solBalance: '98.98',
        warning: null,
        isAuthenticated: true,
        createdAt: LAUNCHED_AT,
        deletionDueAt: null,
      },
    },
  }),
  register: mutation({
    access: 'anyone',
    alone: true,
    input: registerInput,
    output: ok,
    rest: 'POST /api/auth/register',
    operationId: 'register',
    status: 201,
    setsCookie: true,
    summary: 'Creates an account with 100 SOL and logs in.',
    errors: ['PROOF_OF_WORK_NEEDED', 'WEAK_PASSWORD', 'USERNAME_TAKEN', 'EMAIL_TAKEN', 'BUSY'],
    example: {
      input: {
        username: 'luna',
        email: 'luna@example.org',
        wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
        password: 'correct horse battery',
      },
      response: DONE,
    },
  }),
  login: mutation({
    access: 'anyone',
    alone: true,
    input: loginInput,
    output: loginResult,
    rest: 'POST /api/auth/login',
    operationId: 'login',
    setsCookie: true,
    summary: 'Logs in and sets the session cookie. For an account with a second factor, also send totp.',
    errors: ['PROOF_OF_WORK_NEEDED', 'INVALID_CREDENTIALS', 'SECOND_FACTOR_NEEDED', 'SECOND_FACTOR_INVALID', 'BUSY'],
    example: { input: { email: 'luna@example.org', password: 'correct horse battery' }, response: DONE },
  }),
  beginPasskeyLogin: mutation({
    access: 'anyone',
    limit: 'sign-in',
    output: assertionOptions,
    rest: 'POST /api/auth/passkey/options',
    operationId: 'beginPasskeyLogin',
    summary: 'Returns the options to log in with a passkey. The options work once, for five minutes, in this browser.',
    errors: ['PASSKEYS_UNAVAILABLE'],
    example: { response: ASSERTION_OPTIONS },
  }),
  loginWithPasskey: mutation({
    access: 'anyone',
    limit: 'sign-in',
    alone: true,
    input: passkeyLoginInput,
    output: ok,
    rest: 'POST /api/auth/passkey',
    operationId: 'loginWithPasskey',
    summary: 'Logs in with a passkey, instead of password and second factor.',
    errors: ['PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE'],
    example: { input: { credential: ASSERTION }, response: DONE },
  }),
  forgotPassword: mutation({
    access: 'anyone',
    alone: true,
    input: forgotPasswordInput,
    output: forgotPasswordResult,
    rest: 'POST /api/auth/forgot-password',
    operationId: 'forgotPassword',
    setsCookie: true,
    summary:
      'Creates a six-digit reset code that works for 15 minutes, and sends it by email. The response contains the code only if the server is configured to show codes.',
    errors: ['PROOF_OF_WORK_NEEDED', 'BUSY'],
    example: {
      input: { email: 'luna@example.org' },
      response: {
        message:
          'If an account exists for this email address, we have emailed a reset code. The code expires in 15 minutes.',
      },
    },
  }),
  resetPassword: mutation({
    access: 'anyone',
    alone: true,
    input: resetPasswordInput,
    output: ok,
    rest: 'POST /api/auth/reset-password',
    operationId: 'resetPassword',
    setsCookie: true,
    summary:
      'Sets a new password with a reset code, ends every session and revokes every API key. Fails with 400 if the code is wrong or expired.',
    errors: ['PROOF_OF_WORK_NEEDED', 'WEAK_PASSWORD', 'RESET_CODE_INVALID', 'BUSY'],
    example: { input: { token: '048213', newPassword: 'staple battery horse' }, response: DONE },
  }),
  logout: mutation({
    access: 'anyone',
    output: ok,
    rest: 'POST /api/auth/logout',
    operationId: 'logout',
    setsCookie: true,
    summary: 'Ends the session and closes its WebSockets.',
    example: { response: DONE },
  }),
}
