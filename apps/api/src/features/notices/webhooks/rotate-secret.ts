import type { RotatedSecret } from '@papermoon/contract/webhooks'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { formatSecret, newWebhookSecret, OLD_SECRET_MS, toSecretPurpose } from './secrets.ts'
import { findWebhooks, replaceSecret } from './store.ts'

/**
 * Gives a webhook another secret; the one before signs too for a day. Throws `NotFoundError`, `ConfirmationNeededError` and
 * `NotSignedInError`.
 */
export async function rotateSecret(ctx: Context, userId: UserId, id: number): Promise<RotatedSecret> {
  const { app } = ctx
  await requireRecentProof(ctx)
  const [webhook] = await findWebhooks(app.platform.db, userId, id)
  if (webhook === undefined) throw new NotFoundError('You have no such webhook.')
  const secret = newWebhookSecret()
  const sealed = await app.accounts.secrets.seal(secret, toSecretPurpose(userId))
  const oldUntil = new Date(app.platform.clock.now().getTime() + OLD_SECRET_MS)
  await app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    const host = await replaceSecret(tx, { userId, id, sealed, oldUntil })
    if (host === null) throw new NotFoundError('You have no such webhook.')
    await recordAccountEvent(app, ctx, { userId, kind: 'webhook_secret_changed', detail: { host } }, tx)
  })
  return { secret: formatSecret(secret), oldSecretUntil: oldUntil.toISOString() }
}
