import type { RotatedSecret } from '@papermoon/contract/webhooks'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { changeAccount, requireRecentProof } from '../../account/public.ts'
import { findWebhooks, replaceSecret } from './store.ts'
import { formatSecret, newWebhookSecret, OLD_SECRET_MS, toSecretPurpose } from './to-webhook.ts'

/**
 * Replaces a webhook's secret. The previous secret also signs messages for a day. Throws `NotFoundError`,
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
