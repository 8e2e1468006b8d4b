import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { recordAccountEvent } from '../../account/public.ts'
import { deleteWebhook } from './store.ts'

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
