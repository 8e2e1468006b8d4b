import { z } from 'zod'
import { DONE } from './example-market.ts'
import { fairId, positiveId, tokenId } from './ids.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'
import { words } from './words.ts'

/** Events that webhooks can send: the market's events, the player's own trades and waiting orders, and notices. */
export const WEBHOOK_EVENTS = words(
  'trade launch rug fill order fair post notice.rug notice.whale notice.top3 notice.alert notice.sticker',
  'notice.buyer notice.holder notice.milestone notice.seal notice.mention notice.moderation notice.order',
  'notice.reply notice.reaction notice.follower notice.post',
)
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

const URL_CHARS_MAX = 500
const TOKENS_MAX = 50
const FAIRS_MAX = 10

const url = z
  .string()
  .max(URL_CHARS_MAX, `must be at most ${URL_CHARS_MAX} characters`)
  .regex(/^https?:\/\/[\x21-\x7e]+$/, 'must be a public https URL')
  .refine((text) => URL.canParse(text), 'must be a public https URL')
  .transform((text) => new URL(text).href)
  .refine((text) => !text.includes('#'), 'must not have a part after a #')
  .describe(
    'A public https URL with port 443. The operator may allow other URLs. The URL must answer a challenge before it gets events.',
  )

const format = z
  .enum(['standard', 'discord'], 'must be standard or discord')
  .describe('standard sends JSON signed by Standard Webhooks. discord sends messages to a Discord webhook URL.')

const eventName = z.enum(WEBHOOK_EVENTS, `must be some of ${WEBHOOK_EVENTS.join(', ')}`)

export const createWebhookInput = z.object({
  url,
  format: format.default('standard'),
  events: z
    .array(eventName)
    .min(1, `must be some of ${WEBHOOK_EVENTS.join(', ')}`)
    .max(WEBHOOK_EVENTS.length, 'must name each kind once')
    .transform((names) => WEBHOOK_EVENTS.filter((name) => names.includes(name)))
    .describe(
      'trade, launch, rug and post are events of the market. fair is an event of a fair. fill is your own trade. order is a change of your waiting orders. notice.… is a notice for you.',
    ),
  tokenIds: z
    .array(tokenId)
    .min(1, 'must name one to fifty tokens, or be left out for all')
    .max(TOKENS_MAX, 'must name one to fifty tokens, or be left out for all')
    .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
    .nullish()
    .transform((ids) => ids ?? null)
    .describe(
      'Ids of the tokens whose trades, rug pulls and posts are sent. If null or omitted, events of all tokens are sent.',
    ),
  fairs: z
    .array(fairId)
    .min(1, 'must name one to ten fairs, or be left out for the fairground')
    .max(FAIRS_MAX, 'must name one to ten fairs, or be left out for the fairground')
    .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
    .nullish()
    .transform((ids) => ids ?? null)
    .describe(
      'Ids of the fairs whose events are sent, instead of events outside fairs. A room’s events are sent only while you are a member.',
    ),
})
export type CreateWebhookInput = z.output<typeof createWebhookInput>

export const webhookId = positiveId
export const webhookInput = z.object({ id: webhookId })

export const webhook = z.object({
  id: webhookId,
  url: z.string().describe('URL of the webhook. A Discord URL is shown without its token.'),
  format,
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  tokenIds: z.array(tokenId).nullable().describe('Ids of tokens whose events are sent, or null for all tokens.'),
  fairs: z.array(fairId).nullable().describe('Ids of fairs whose events are sent, or null for events outside fairs.'),
  createdAt: z.iso.datetime(),
  status: z
    .enum(['pending', 'active', 'failing', 'stopped'])
    .describe(
      'pending means that the URL has not answered its challenge. failing means that the last message was refused and will be retried. stopped means that deliveries failed for a day or got a 410. A successful test restarts the webhook.',
    ),
  lastAt: z.iso.datetime().nullable().describe('When the last message was sent, or null if no message was sent.'),
  lastStatus: z.int().nullable().describe('HTTP status of the response, or null if there was no response.'),
  lastError: z
    .enum(['timeout', 'unreachable', 'forbidden', 'challenge', 'taken'])
    .nullable()
    .describe(
      'Why the last message failed, if the status does not say why. forbidden means that the host name resolves to an address that this server does not call. challenge means that the response did not repeat the challenge. taken means that another player has this URL.',
    ),
  failingSince: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable().describe('When the failed message is retried, or null if no message failed.'),
  missed: z.int().describe('Number of events that were too old to send. The next message contains this number.'),
  oldSecretUntil: z.iso
    .datetime()
    .nullable()
    .describe('Until this time, messages are also signed with the previous secret.'),
})
export type Webhook = z.output<typeof webhook>

const secret = z.string().describe('Secret that signs the messages. Only this response contains it.')

export const createdWebhook = webhook.extend({ secret })
export type CreatedWebhook = z.output<typeof createdWebhook>

export const rotatedSecret = z.object({
  secret,
  oldSecretUntil: z.iso.datetime().describe('Until this time, messages are signed with the old and the new secret.'),
})
export type RotatedSecret = z.output<typeof rotatedSecret>

const WEBHOOK = {
  id: 4,
  url: 'https://hooks.example.org/papermoon',
  format: 'standard',
  events: ['trade', 'rug', 'fill'],
  tokenIds: [7],
  fairs: null,
  createdAt: '2026-01-05T12:00:00.000Z',
  status: 'active',
  lastAt: '2026-01-05T12:03:10.000Z',
  lastStatus: 204,
  lastError: null,
  failingSince: null,
  nextAt: null,
  missed: 0,
  oldSecretUntil: null,
}

const NEW_WEBHOOK = { ...WEBHOOK, status: 'pending', lastAt: null, lastStatus: null }

const WEBHOOK_SECRET = 'whsec_wVHs8Q3xN0bT6mZk2rYp5cJf9LdAeUo1GiXhKqB7tSM='

export const webhooksProcedures = {
  list: query({
    apiKey: 'never',
    output: z.array(webhook),
    rest: 'GET /api/webhooks',
    operationId: 'listWebhooks',
    summary: 'Lists your webhooks, with the result of the last message to each.',
    example: { response: [WEBHOOK] },
  }),
  create: mutation({
    limit: 'webhook',
    input: createWebhookInput,
    output: createdWebhook,
    rest: 'POST /api/webhooks',
    operationId: 'createWebhook',
    status: 201,
    summary:
      'Adds a webhook, which gets events after its URL has answered a challenge. A player can have at most 5 webhooks. Only this response contains the secret.',
    errors: [
      ...(['WEBHOOKS_UNAVAILABLE', 'CONFIRMATION_NEEDED', 'TOKEN_NOT_FOUND', 'FAIR_NOT_FOUND'] as const),
      ...(['TOO_MANY_WEBHOOKS', 'WEBHOOK_EXISTS'] as const),
    ],
    example: {
      input: { url: WEBHOOK.url, format: 'standard', events: ['trade', 'rug', 'fill'], tokenIds: [7] },
      response: { ...NEW_WEBHOOK, secret: WEBHOOK_SECRET },
    },
  }),
  test: mutation({
    limit: 'webhook',
    input: webhookInput,
    output: ok,
    rest: 'POST /api/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary:
      'Sends a test message to a webhook, or its challenge again. If the test succeeds, a stopped webhook restarts.',
    errors: ['NOT_FOUND'],
    example: { input: { id: 4 }, response: DONE },
  }),
  rotate: mutation({
    limit: 'webhook',
    input: webhookInput,
    output: rotatedSecret,
    rest: 'POST /api/webhooks/{id}/secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Replaces the secret of a webhook. For a day, messages are signed with the old and the new secret.',
    errors: ['NOT_FOUND', 'CONFIRMATION_NEEDED'],
    example: {
      input: { id: 4 },
      response: { secret: WEBHOOK_SECRET, oldSecretUntil: '2026-01-06T12:00:00.000Z' },
    },
  }),
  remove: mutation({
    whenSuspended: 'allowed',
    input: webhookInput,
    output: ok,
    rest: 'DELETE /api/webhooks/{id}',
    operationId: 'removeWebhook',
    summary: 'Removes a webhook and its unsent messages.',
    errors: ['NOT_FOUND'],
    example: { input: { id: 4 }, response: DONE },
  }),
}
