import { ID_MAX, tokenId } from '@papermoon/engine'
import { z } from 'zod'

/** Events of a webhook: the market's, the player's own trades, and notices. */
export const WEBHOOK_EVENTS = [
  'trade',
  'launch',
  'rug',
  'fill',
  'notice.rug',
  'notice.whale',
  'notice.top3',
  'notice.alert',
] as const
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

const URL_CHARS_MAX = 500
const TOKENS_MAX = 50

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
    .describe('trade, launch and rug: of the market. fill: own trades. notice.…: what the bell tells.'),
  tokenIds: z
    .array(tokenId)
    .min(1, 'must name one to fifty tokens, or be left out for all')
    .max(TOKENS_MAX, 'must name one to fifty tokens, or be left out for all')
    .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
    .nullish()
    .transform((ids) => ids ?? null)
    .describe('Tokens whose trades and rug pulls are sent; null or left out: all. Other events come of every token.'),
})
export type CreateWebhookInput = z.output<typeof createWebhookInput>

export const webhookId = z.int('must be a whole number').min(1, 'must be above 0').max(ID_MAX, 'is too large')
export const webhookInput = z.object({ id: webhookId })

export const webhook = z.object({
  id: webhookId,
  url: z.string().describe('Of an address of Discord without its token.'),
  format,
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  tokenIds: z.array(tokenId).nullable().describe('Null: all tokens.'),
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

export const done = z.object({ ok: z.literal(true) })
