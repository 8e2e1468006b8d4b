import { z } from 'zod'
import { solAmount } from './amounts.ts'
import { DONE, LAUNCHED_AT } from './example-market.ts'
import { positiveId } from './ids.ts'
import { formatNetwork, parseNetwork } from './networks.ts'
import { API_SCOPES, mutation, query } from './procedure.ts'
import { decimal, ok } from './shapes.ts'
import { text } from './text.ts'

/** Max number of networks per key. */
const NETWORKS_MAX = 20
/** Max length of an IPv6 network, in characters. */
const NETWORK_CHARACTERS_MAX = 49
/** Max number of days until a key expires. */
export const EXPIRY_DAYS_MAX = 366

/** Networks. The schema converts networks to canonical notation and removes duplicates. */
const networks = z
  .array(
    z
      .string()
      .max(NETWORK_CHARACTERS_MAX, 'must be IP addresses or networks such as 203.0.113.0/24')
      .transform((text) => parseNetwork(text.trim()))
      .refine((network) => network !== null, 'must be IP addresses or networks such as 203.0.113.0/24')
      .transform((network) => (network === null ? '' : formatNetwork(network))),
  )
  .max(NETWORKS_MAX, `must be at most ${NETWORKS_MAX}`)
  .default([])
  .transform((texts) => [...new Set(texts)])
  .describe(
    `At most ${NETWORKS_MAX} IPv4 or IPv6 addresses or CIDR networks from which the key works. If empty, the key works from anywhere.`,
  )

const expiresAt = z.iso
  .datetime({ offset: true })
  .nullish()
  .transform((text) => (text == null ? null : new Date(text)))
  .describe(
    `When the key expires, at most ${EXPIRY_DAYS_MAX} days from now. If null or omitted, the key never expires.`,
  )

const spendingLimit = solAmount
  .nullish()
  .transform((sol) => sol ?? null)
  .describe(
    'Maximum SOL that the key may spend per UTC day on buys and launches outside fairs. Null or omitted means no limit.',
  )

const KEY_NAME_MAX = 40

export const apiKeyId = positiveId.brand<'ApiKeyId'>()
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
      'market allows reading public data and your trades and orders, but not your email or wallet. read allows reading everything. trade allows buying, selling, launching and pulling rugs. reset allows resetting the account. talk allows writing posts.',
    ),
  expiresAt,
  networks,
  spendingLimit,
})
export type CreateKeyInput = z.output<typeof createKeyInput>

export const apiKey = z
  .object({
    id: apiKeyId,
    name: z.string(),
    scopes: z.array(scope),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('Last use, accurate to about a minute, or null if never used.'),
    expiresAt: z.iso.datetime().nullable().describe('When the key expires, or null if it never expires.'),
    isExpired: z.boolean(),
    networks: z
      .array(z.string())
      .describe('CIDR networks from which the key works. If empty, the key works from anywhere.'),
    spendingLimit: decimal.nullable().describe('Maximum SOL that the key may spend per UTC day, or null if unlimited.'),
    spentToday: decimal.nullable().describe('SOL spent in this UTC day, or null if unlimited.'),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof apiKey>

export const createdKey = apiKey
  .extend({
    key: z.string().describe('The key. Only this response contains it. Send the key as Authorization: Bearer.'),
  })
  .meta({ id: 'CreatedApiKey' })
export type CreatedKey = z.output<typeof createdKey>

export type Revoked = z.output<typeof ok>

const MADE_KEY = {
  id: 2,
  name: 'market bot',
  scopes: ['read', 'trade'],
  createdAt: LAUNCHED_AT,
  lastUsedAt: null,
  expiresAt: '2026-06-01T00:00:00.000Z',
  isExpired: false,
  networks: ['203.0.113.0/24'],
  spendingLimit: '10',
  spentToday: '2.5',
}

export const keysProcedures = {
  list: query({
    apiKey: 'never',
    output: z.array(apiKey),
    rest: 'GET /api/keys',
    operationId: 'listApiKeys',
    summary: 'Lists your API keys.',
    example: { response: [MADE_KEY] },
  }),
  create: mutation({
    input: createKeyInput,
    output: createdKey,
    rest: 'POST /api/keys',
    operationId: 'createApiKey',
    status: 201,
    summary: 'Creates an API key. A player can have at most 10 keys. Only this response contains the key.',
    errors: ['TOO_MANY_KEYS', 'CONFIRMATION_NEEDED'],
    example: {
      input: {
        name: 'market bot',
        scopes: ['read', 'trade'],
        expiresAt: '2026-06-01T00:00:00Z',
        networks: ['203.0.113.0/24'],
        spendingLimit: '10',
      },
      response: { ...MADE_KEY, spentToday: '0', key: 'pm_kG2v0mQ8c1r5Zt7yB3xN9wLfHd4sJpAeUoViXqYbTzR' },
    },
  }),
  revoke: mutation({
    whenSuspended: 'allowed',
    input: z.object({ id: apiKeyId }),
    output: ok,
    rest: 'DELETE /api/keys/{id}',
    operationId: 'revokeApiKey',
    summary: 'Revokes an API key and closes its WebSockets.',
    errors: ['NOT_FOUND'],
    example: { input: { id: 2 }, response: DONE },
  }),
}
