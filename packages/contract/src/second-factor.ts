import { z } from 'zod'
import { DONE, LAUNCHED_AT } from './example-market.ts'
import { totpCode } from './factor-code.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'

export const secondFactorStatus = z
  .object({
    isOn: z.boolean().describe('Whether a login needs a code beside the password.'),
    enabledAt: z.iso.datetime().nullable(),
    recoveryCodesLeft: z.int().min(0),
  })
  .meta({ id: 'SecondFactorStatus' })
export type SecondFactorStatus = z.output<typeof secondFactorStatus>

export const totpSetup = z
  .object({
    secret: z.string().describe('In base 32, to type into an authenticator app.'),
    uri: z.string().describe('otpauth://… with the secret in it, to show as a QR code.'),
  })
  .meta({ id: 'TotpSetup' })
export type TotpSetup = z.output<typeof totpSetup>

export const enableTotpInput = z.object({ code: totpCode })
export type EnableTotpInput = z.output<typeof enableTotpInput>

export const recoveryCodes = z
  .object({
    recoveryCodes: z.array(z.string()).describe('Ten, shown only in this answer; each replaces a code once.'),
  })
  .meta({ id: 'RecoveryCodes' })
export type RecoveryCodes = z.output<typeof recoveryCodes>

export type SwitchedOff = z.output<typeof ok>

export const secondFactorProcedures = {
  status: query({
    apiKey: 'never',
    output: secondFactorStatus,
    rest: 'GET /api/account/second-factor',
    operationId: 'getSecondFactor',
    summary: 'Whether one’s logins need a code beside the password, and how many recovery codes are left.',
    example: { answer: { isOn: true, enabledAt: LAUNCHED_AT, recoveryCodesLeft: 9 } },
  }),
  begin: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    output: totpSetup,
    rest: 'POST /api/account/second-factor/setup',
    operationId: 'beginSecondFactor',
    summary: 'A secret for an authenticator app; nothing needs it until a code of it is entered, within 15 minutes.',
    errors: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_ON'],
    example: {
      answer: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Papermoon:luna?issuer=Papermoon&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      },
    },
  }),
  enable: mutation({
    whenSuspended: 'allowed',
    limit: 'confirm',
    input: enableTotpInput,
    output: recoveryCodes,
    rest: 'POST /api/account/second-factor/enable',
    operationId: 'enableSecondFactor',
    summary:
      'Confirms the setup with a code: logins need one from then on. The recovery codes are shown only in this answer.',
    errors: ['CONFIRMATION_NEEDED', 'WRONG_CODE', 'SETUP_EXPIRED', 'SECOND_FACTOR_ON', 'BUSY'],
    example: { input: { code: '492039' }, answer: { recoveryCodes: ['k7dm2-x9q4r', '3hf8w-z5t0n'] } },
  }),
  disable: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    output: ok,
    rest: 'POST /api/account/second-factor/disable',
    operationId: 'disableSecondFactor',
    summary: 'Logins need the password alone again; the recovery codes are gone.',
    errors: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_OFF'],
    example: { answer: DONE },
  }),
  renewRecoveryCodes: mutation({
    whenSuspended: 'allowed',
    limit: 'confirm',
    output: recoveryCodes,
    rest: 'POST /api/account/recovery-codes',
    operationId: 'renewRecoveryCodes',
    summary: 'Ten new recovery codes, shown only in this answer; the old ones stop working.',
    errors: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_OFF', 'BUSY'],
    example: { answer: { recoveryCodes: ['k7dm2-x9q4r', '3hf8w-z5t0n'] } },
  }),
}
