import { z } from 'zod'
import { totpCode } from '../../security/second-factor/factor-code.ts'

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

export const switchedOff = z.object({ ok: z.literal(true) })
export type SwitchedOff = z.output<typeof switchedOff>
