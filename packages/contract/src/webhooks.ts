import { z } from 'zod'
import { DONE } from './example-market.ts'
import { fairId, positiveId, tokenId } from './ids.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'
import { words } from './words.ts'

/** Events of a webhook: the market's, the player's own trades and waiting orders, and notices. */
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
  .regex(/^https?:\/\/[\x21-\x7e]+$/, 'must be a public https address')
  .refine((text) => URL.canParse(text), 'must be a public https address')
  .transform((text) => new URL(text).href)
  .refine((text) => !text.includes('#'), 'must have no part after a #')
  .describe(
    'A public https address at the usual port. An operator may allow others. It has to answer a challenge before it gets events.',
  )

const format = z
  .enum(['standard', 'discord'], 'must be standard or discord')
  .describe('standard: signed JSON by Standard Webhooks. discord: messages that an address of Discord shows.')

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
      'trade, launch, rug, post: of the market. fill: own trades. order: own waiting orders. fair: of fairs. notice.…: what the bell tells.',
    ),
  tokenIds: z
    .array(tokenId)
    .min(1, 'must name one to fifty tokens, or be left out for all')
    .max(TOKENS_MAX, 'must name one to fifty tokens, or be left out for all')
    .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
    .nullish()
    .transform((ids) => ids ?? null)
    .describe('Tokens whose trades, rug pulls and posts are sent; null or left out: all.'),
  fairs: z
    .array(fairId)
    .min(1, 'must name one to ten fairs, or be left out for the fairground')
    .max(FAIRS_MAX, 'must name one to ten fairs, or be left out for the fairground')
    .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
    .nullish()
    .transform((ids) => ids ?? null)
    .describe('Fairs whose events are sent, not the fairground’s. A room’s: while one is a member.'),
})
export type CreateWebhookInput = z.output<typeof createWebhookInput>

export const webhookId = positiveId
export const webhookInput = z.object({ id: webhookId })

export const webhook = z.object({
  id: webhookId,
  url: z.string().describe('Of an address of Discord without its token.'),
  format,
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  tokenIds: z.array(tokenId).nullable().describe('Null: all tokens.'),
  fairs: z.array(fairId).nullable().describe('Null: the fairground.'),
  createdAt: z.iso.datetime(),
  status: z
    .enum(['pending', 'active', 'failing', 'stopped'])
    .describe(
      'pending: the address has not answered its challenge. failing: the last message was not taken and is tried again. stopped: given up after a day of failures, or because the address answered 410; a test that is taken starts it again.',
    ),
  lastAt: z.iso.datetime().nullable().describe('When the last message was sent; null for never.'),
  lastStatus: z.int().nullable().describe('The HTTP status of its answer; null where there was none.'),
  lastError: z
    .enum(['timeout', 'unreachable', 'forbidden', 'challenge', 'taken'])
    .nullable()
    .describe(
      'Why the last message was not taken, beside the status. forbidden: the name leads to an address that this server does not call. challenge: the answer did not repeat it. taken: another player has this address.',
    ),
  failingSince: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable().describe('When a message that was not taken is tried again; null if none waits.'),
  missed: z.int().describe('Events that were too old to be sent; the next message says the number too.'),
  oldSecretUntil: z.iso.datetime().nullable().describe('Until when messages are signed with the secret before, too.'),
})
export type Webhook = z.output<typeof webhook>

const secret = z.string().describe('What messages are signed with; shown only in this answer.')

export const createdWebhook = webhook.extend({ secret })
export type CreatedWebhook = z.output<typeof createdWebhook>

export const rotatedSecret = z.object({
  secret,
  oldSecretUntil: z.iso.datetime().describe('Until then messages are signed with both.'),
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
    summary: 'One’s webhooks, and how the last message to each went.',
    example: { answer: [WEBHOOK] },
  }),
  create: mutation({
    limit: 'webhook',
    input: createWebhookInput,
    output: createdWebhook,
    rest: 'POST /api/webhooks',
    operationId: 'createWebhook',
    status: 201,
    summary:
      'Adds an address that gets events, at most 5 a player, once it answered a challenge. Its secret is shown only in this answer.',
    errors: [
      ...(['WEBHOOKS_UNAVAILABLE', 'CONFIRMATION_NEEDED', 'TOKEN_NOT_FOUND', 'FAIR_NOT_FOUND'] as const),
      ...(['TOO_MANY_WEBHOOKS', 'WEBHOOK_EXISTS'] as const),
    ],
    example: {
      input: { url: WEBHOOK.url, format: 'standard', events: ['trade', 'rug', 'fill'], tokenIds: [7] },
      answer: { ...NEW_WEBHOOK, secret: WEBHOOK_SECRET },
    },
  }),
  test: mutation({
    limit: 'webhook',
    input: webhookInput,
    output: ok,
    rest: 'POST /api/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Sends a ping, or the challenge again. One that is taken starts a webhook again that was given up.',
    errors: ['NOT_FOUND'],
    example: { input: { id: 4 }, answer: DONE },
  }),
  rotate: mutation({
    limit: 'webhook',
    input: webhookInput,
    output: rotatedSecret,
    rest: 'POST /api/webhooks/{id}/secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Replaces the secret; messages are signed with both for a day.',
    errors: ['NOT_FOUND', 'CONFIRMATION_NEEDED'],
    example: {
      input: { id: 4 },
      answer: { secret: WEBHOOK_SECRET, oldSecretUntil: '2026-01-06T12:00:00.000Z' },
    },
  }),
  remove: mutation({
    whenSuspended: 'allowed',
    input: webhookInput,
    output: ok,
    rest: 'DELETE /api/webhooks/{id}',
    operationId: 'removeWebhook',
    summary: 'Removes a webhook, with what waits for it.',
    errors: ['NOT_FOUND'],
    example: { input: { id: 4 }, answer: DONE },
  }),
}
