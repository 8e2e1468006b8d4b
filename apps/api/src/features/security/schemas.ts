import { z } from 'zod'
import { passwordField } from '../../security/account-fields.ts'
import { totpCode } from '../../security/factor-code.ts'
import { assertion } from '../../security/passkey-schemas.ts'

const currentPassword = passwordField.describe('The password that the account has now.')

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

export const confirmed = z.object({
  ok: z.literal(true),
  until: z.iso.datetime().describe('Until then, no dangerous act of this session asks again.'),
})
export type Confirmed = z.output<typeof confirmed>
