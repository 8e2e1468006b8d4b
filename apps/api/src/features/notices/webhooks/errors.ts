import { defineError } from '../../../errors.ts'

export const WEBHOOKS_MAX = 5

export class TooManyWebhooksError extends defineError(
  'TOO_MANY_WEBHOOKS',
  `You already have ${WEBHOOKS_MAX} webhooks. Please remove one of them first.`,
  { details: { limit: 'webhooks', maximum: WEBHOOKS_MAX } },
) {}

export class WebhookExistsError extends defineError('WEBHOOK_EXISTS', 'You already have a webhook at this address.') {}

export class WebhooksUnavailableError extends defineError('WEBHOOKS_UNAVAILABLE', 'This server calls no webhooks.') {}
