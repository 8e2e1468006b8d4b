import { BOUNDS } from '@papermoon/contract/bounds'
import type { CreatedWebhook, CreateWebhookInput, RotatedSecret, WebhookEventName } from '@papermoon/contract/webhooks'
import { TokenNotFoundError, type UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { BadInputError, defineError, NotFoundError } from '../../../errors.ts'
import { mayCall, withNetworks } from '../../../security/outbound.ts'
import { changeAccount, countOwn, recordAccountEvent, requireRecentProof } from '../../account/public.ts'
import { FairNotFoundError, findVisibleFairs } from '../../fairs/public.ts'
import { countTokens, deleteWebhook, findWebhooks, insertWebhook, queueTest, replaceSecret } from './store.ts'
import {
  formatSecret,
  hashUrl,
  newWebhookSecret,
  OLD_SECRET_MS,
  toSecretPurpose,
  toUrlPurpose,
  toWebhook,
} from './to-webhook.ts'

const WEBHOOKS_MAX = BOUNDS.webhooks

/**
 * Adds a webhook. The webhook gets events after its URL has responded to a challenge. Only this response contains the
 * webhook's secret. Throws `TooManyWebhooksError`, `WebhookExistsError`, `WebhooksUnavailableError`, `BadInputError`,
 * `ConfirmationNeededError`, `TokenNotFoundError`, `FairNotFoundError` and `NotSignedInError`.
 */
export async function createWebhook(ctx: Context, userId: UserId, input: CreateWebhookInput): Promise<CreatedWebhook> {
  const { app } = ctx
  assertAddress(app, input)
  assertChoice(input)
  // Require a proof of identity, because the webhook gets the player's trades and notices as long as it exists.
  await requireRecentProof(ctx)
  const secret = newWebhookSecret()
  const now = app.platform.clock.now()
  const { host } = new URL(input.url)
  const url_sealed = await app.accounts.secrets.seal(Buffer.from(input.url), toUrlPurpose(userId))
  const secret_sealed = await app.accounts.secrets.seal(secret, toSecretPurpose(userId))
  const { format, events, tokenIds, fairs } = input
  const row = await changeAccount(ctx, userId, async (tx, record) => {
    if (tokenIds !== null && (await countTokens(tx, tokenIds)) < tokenIds.length) throw new TokenNotFoundError()
    if (fairs !== null && (await findVisibleFairs(tx, fairs, userId)).length < fairs.length)
      throw new FairNotFoundError()
    if ((await countOwn(tx, 'webhooks', userId)) >= WEBHOOKS_MAX) throw new TooManyWebhooksError()
    const sealed = { url_hash: hashUrl(input.url), url_sealed, host, secret_sealed }
    const made = { user_id: userId, format, events, token_ids: tokenIds, fairs, created_at: now }
    const id = await insertWebhook(tx, { ...sealed, ...made })
    if (id === null) throw new WebhookExistsError()
    await queueTest(tx, userId, id)
    const [added] = await findWebhooks(tx, userId, id)
    if (added === undefined) throw new Error('a webhook vanished in its own transaction')
    await record('webhook_added', { host })
    return added
  })
  return { ...(await toWebhook(app, row)), secret: formatSecret(secret) }
}

function assertAddress({ platform: { config, outbound } }: Context['app'], { url }: CreateWebhookInput): void {
  if (!config.webhooks) throw new WebhooksUnavailableError()
  if (!mayCall(url, withNetworks(outbound, config.webhookNetworks))) {
    throw new BadInputError('url must be a public https URL.')
  }
}

/** Throws `BadInputError` if the input names tokens or fairs that no chosen event needs. */
function assertChoice({ events, tokenIds, fairs }: CreateWebhookInput): void {
  const hasAny = (...names: WebhookEventName[]) => names.some((name) => events.includes(name))
  if (fairs === null && hasAny('fair')) throw new BadInputError('The event fair needs fairs. Name them in fairs.')
  if (fairs !== null && tokenIds !== null) throw new BadInputError('Name tokenIds or fairs, not both.')
  if (fairs !== null && !hasAny('trade', 'launch', 'rug', 'fill', 'order', 'fair', 'post'))
    throw new BadInputError(
      'fairs is only for trade, launch, rug, fill, order, fair and post. Name some of them in events.',
    )
  if (tokenIds !== null && !hasAny('trade', 'rug', 'post'))
    throw new BadInputError('tokenIds is only for trade, rug and post. The events you named come from every token.')
}

class TooManyWebhooksError extends defineError(
  'TOO_MANY_WEBHOOKS',
  `You already have ${WEBHOOKS_MAX} webhooks. Please remove one of them first.`,
  { details: { limit: 'webhooks', maximum: WEBHOOKS_MAX } },
) {}

class WebhookExistsError extends defineError('WEBHOOK_EXISTS', 'You already have a webhook with this URL.') {}

class WebhooksUnavailableError extends defineError('WEBHOOKS_UNAVAILABLE', 'This server does not call webhooks.') {}

/**
 * Removes a webhook. A message that is being sent may still arrive. Throws `NotFoundError` for another player's
 * webhook.
 */
export async function removeWebhook(ctx: Context, userId: UserId, id: number): Promise<void> {
  const { app } = ctx
  await app.platform.db.transaction().execute(async (tx) => {
    const host = await deleteWebhook(tx, userId, id)
    if (host === null) throw new NotFoundError('You have no such webhook.')
    await recordAccountEvent(app, ctx, { userId, kind: 'webhook_removed', detail: { host } }, tx)
  })
}

/**
 * Replaces a webhook's secret. For a day, messages are also signed with the previous secret. Throws `NotFoundError`,
 * `ConfirmationNeededError` and `NotSignedInError`.
 */
export async function rotateSecret(ctx: Context, userId: UserId, id: number): Promise<RotatedSecret> {
  const { app } = ctx
  await requireRecentProof(ctx)
  const [webhook] = await findWebhooks(app.platform.db, userId, id)
  if (webhook === undefined) throw new NotFoundError('You have no such webhook.')
  const secret = newWebhookSecret()
  const sealed = await app.accounts.secrets.seal(secret, toSecretPurpose(userId))
  const oldUntil = new Date(app.platform.clock.now().getTime() + OLD_SECRET_MS)
  await changeAccount(ctx, userId, async (tx, record) => {
    const host = await replaceSecret(tx, { userId, id, sealed, oldUntil })
    if (host === null) throw new NotFoundError('You have no such webhook.')
    await record('webhook_secret_changed', { host })
  })
  return { secret: formatSecret(secret), oldSecretUntil: oldUntil.toISOString() }
}
