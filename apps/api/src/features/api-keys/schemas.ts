import { ID_MAX } from '@papermoon/engine'
import { z } from 'zod'
import { API_SCOPES } from '../../context.ts'
import { text } from '../../validation/text.ts'
import { expiresAt, networks, spendingLimit } from './key-limits.ts'

const KEY_NAME_MAX = 40

export const apiKeyId = z
  .int('must be a whole number')
  .min(1, 'must be above 0')
  .max(ID_MAX, 'is too large')
  .brand<'ApiKeyId'>()
export type ApiKeyId = z.output<typeof apiKeyId>

const scope = z.enum(API_SCOPES)

export const createKeyInput = z.object({
  name: text('name of the key', KEY_NAME_MAX),
  scopes: z
    .array(scope)
    .min(1, `must name at least one of ${API_SCOPES.join(', ')}`)
    .max(API_SCOPES.length, `must be at most ${API_SCOPES.length}`)
    .transform((scopes) => [...new Set(scopes)].sort())
    .describe(
      'market: public data and your own trades and orders, neither e-mail nor wallet. read: every query. trade: buy, sell, launch and rug. reset: the account reset.',
    ),
  expiresAt,
  networks,
  spendingLimit,
})
export type CreateKeyInput = z.output<typeof createKeyInput>

export const revokeKeyInput = z.object({ id: apiKeyId })

export const apiKey = z
  .object({
    id: apiKeyId,
    name: z.string(),
    scopes: z.array(scope),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('To a minute or so; null for never.'),
    expiresAt: z.iso.datetime().nullable().describe('When it ends by itself; null for never.'),
    isExpired: z.boolean(),
    networks: z.array(z.string()).describe('Where it works from, in CIDR notation; empty for everywhere.'),
    spendingLimit: z.string().nullable().describe('SOL that it may spend in a UTC day; null for no limit.'),
    spentToday: z.string().nullable().describe('SOL of it that is spent today; null without a limit.'),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof apiKey>

export const createdKey = apiKey
  .extend({
    key: z.string().describe('The key itself, shown only in this answer: send it as Authorization: Bearer.'),
  })
  .meta({ id: 'CreatedApiKey' })
export type CreatedKey = z.output<typeof createdKey>

export const revoked = z.object({ ok: z.literal(true) })
export type Revoked = z.output<typeof revoked>
