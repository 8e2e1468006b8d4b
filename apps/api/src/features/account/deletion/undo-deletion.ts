import type { DeletionUndone } from '@papermoon/contract/account'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import type { Context } from '../../../context.ts'
import { clearDeletionDue } from './store.ts'

/** Undoes a requested deletion; does nothing where there is none. */
export async function undoDeletion(ctx: Context, userId: UserId): Promise<DeletionUndone> {
  await ctx.app.platform.db.transaction().execute(async (tx) => {
    const wasDue = await clearDeletionDue(tx, userId)
    if (wasDue) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'deletion_undone' }, tx)
  })
  return { ok: true }
}
