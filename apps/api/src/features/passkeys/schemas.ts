import { ID_MAX } from '@papermoon/engine'
import { z } from 'zod'
import { attestation } from '../../security/passkeys/schemas.ts'
import { text } from '../../validation/text.ts'

const NAME_MAX = 40

export const passkeyId = z
  .int('must be a whole number')
  .min(1, 'must be above 0')
  .max(ID_MAX, 'is too large')
  .brand<'PasskeyId'>()
export type PasskeyId = z.output<typeof passkeyId>

export const passkey = z
  .object({
    id: passkeyId,
    name: z.string(),
    domain: z.string().describe('The domain it was created for; it works nowhere else.'),
    isSynced: z.boolean().describe('Whether it may be on several devices.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('Null if never used.'),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.output<typeof passkey>

export const passkeyList = z
  .object({
    origin: z
      .string()
      .nullable()
      .describe('Origin at which passkeys can be added and used; null if this server supports none.'),
    passkeys: z.array(passkey).describe('The newest first.'),
  })
  .meta({ id: 'PasskeyList' })
export type PasskeyList = z.output<typeof passkeyList>

export const addPasskeyInput = z.object({ name: text('name of the passkey', NAME_MAX), credential: attestation })
export type AddPasskeyInput = z.output<typeof addPasskeyInput>

export const removePasskeyInput = z.object({ id: passkeyId })

export const removed = z.object({ ok: z.literal(true) })
export type Removed = z.output<typeof removed>
