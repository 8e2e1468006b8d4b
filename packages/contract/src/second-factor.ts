import { z } from 'zod'
import { DONE, LAUNCHED_AT } from './example-market.ts'
import { totpCode } from './factor-code.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'

export const secondFactorStatus = z
  .object({
    isOn: z.boolean().describe('Whether a login needs a code besides the password.'),
    enabledAt: z.iso.datetime().nullable(),
    recoveryCodesLeft: z.int().min(0),
  })
  .meta({ id: 'SecondFactorStatus' })
export type SecondFactorStatus = z.output<typeof secondFactorStatus>

export const totpSetup = z
  .object({
    secret: z.string().describe('Secret in base 32, to enter in an authenticator app.'),
    uri: z.string().describe('otpauth:// URI with the secret, to show as a QR code.'),
  })
  .meta({ id: 'TotpSetup' })
export type TotpSetup = z.output<typeof totpSetup>

export const enableTotpInput = z.object({ code: totpCode })
export type EnableTotpInput = z.output<typeof enableTotpInput>

export const recoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe(
        'Ten recovery codes. Only this response contains them. You can use each recovery code once instead of a code from the app.',
      ),
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
    summary: 'Returns whether a login needs a code besides the password, and the number of unused recovery codes.',
    example: { response: { isOn: true, enabledAt: LAUNCHED_AT, recoveryCodesLeft: 9 } },
  }),
  begin: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    output: totpSetup,
    rest: 'POST /api/account/second-factor/setup',
    operationId: 'beginSecondFactor',
    summary:
      'Creates a secret for an authenticator app. To turn on the second factor, confirm a code from the app within 15 minutes.',
    errors: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_ON'],
    example: {
      response: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Papermoon:luna?issuer=Papermoon&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      },
    },
  }),
  enable: mutation({
    whenSuspended: 'allowed',
    limit: 'attempt',
    input: enableTotpInput,
    output: recoveryCodes,
    rest: 'POST /api/account/second-factor/enable',
    operationId: 'enableSecondFactor',
    summary:
      'Confirms a code and turns on the second factor. From now on, each login needs a code. Only this response contains the recovery codes.',
    errors: ['CONFIRMATION_NEEDED', 'WRONG_CODE', 'SETUP_EXPIRED', 'SECOND_FACTOR_ON', 'BUSY'],
    example: { input: { code: '492039' }, response: { recoveryCodes: ['k7dm2-x9q4r', '3hf8w-z5t0n'] } },
  }),
  disable: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    output: ok,
    rest: 'POST /api/account/second-factor/disable',
    operationId: 'disableSecondFactor',
    summary: 'Turns off the second factor and deletes its recovery codes.',
    errors: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_OFF'],
    example: { response: DONE },
  }),
  renewRecoveryCodes: mutation({
    whenSuspended: 'allowed',
    limit: 'attempt',
    output: recoveryCodes,
    rest: 'POST /api/account/recovery-codes',
    operationId: 'renewRecoveryCodes',
    summary:
      'Replaces the recovery codes with ten new codes. Only this response contains the new codes. The old codes stop working.',
    errors: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_OFF', 'BUSY'],
    example: { response: { recoveryCodes: ['k7dm2-x9q4r', '3hf8w-z5t0n'] } },
  }),
}
