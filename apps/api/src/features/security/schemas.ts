import { z } from 'zod'
import { passwordField } from '../../security/account-fields.ts'

const currentPassword = passwordField.describe('The password that the account has now.')

export const confirmInput = z.object({ password: currentPassword })
export type ConfirmInput = z.output<typeof confirmInput>

export const confirmed = z.object({
  ok: z.literal(true),
  until: z.iso.datetime().describe('Until then, no dangerous act of this session asks again.'),
})
export type Confirmed = z.output<typeof confirmed>
