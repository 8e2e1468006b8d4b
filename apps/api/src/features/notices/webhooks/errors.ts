import { ApiError } from '../../../errors.ts'

export const WEBHOOKS_MAX = 5

export class TooManyWebhooksError extends ApiError {
  readonly code = 'TOO_MANY_WEBHOOKS'
  override readonly details = { limit: 'webhooks', maximum: WEBHOOKS_MAX }
  constructor() {
    super(`You already have ${WEBHOOKS_MAX} webhooks. Please remove one of them first.`)
  }
}

export class WebhookExistsError extends ApiError {
  readonly code = 'WEBHOOK_EXISTS'
  constructor() {
    super('You already have a webhook at this address.')
  }
}

export class WebhooksUnavailableError extends ApiError {
  readonly code = 'WEBHOOKS_UNAVAILABLE'
  constructor() {
    super('This server calls no webhooks.')
  }
}
