import type { Context } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import { recordAccountEvent } from '../../security/account-events.ts'
import { clearDeletionDue } from './deletion-store.ts'
import type { DeletionUndone } from './schemas.ts'

/** Keeps an account that was to be deleted. Does nothing where nobody had asked. */
export async function undoDeletion(ctx: Context, userId: UserId): Promise<DeletionUndone> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const wasDue = await clearDeletionDue(tx, userId)
    if (wasDue) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'deletion_undone' }, tx)
  })
  return { ok: true }
}
