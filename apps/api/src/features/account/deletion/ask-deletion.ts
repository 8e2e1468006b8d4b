import type { AskDeletionInput, DeletionAsked, DeletionUndone } from '@papermoon/contract/account'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { changeAccount } from '../change-account.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { requireRecentProof } from '../step-up.ts'
import { clearDeletionDue, setDeletionDue } from './store.ts'

export const UNDO_WITHIN_MS = 7 * 24 * 3_600_000

/**
 * Schedules an account's deletion in seven days. Until then nothing changes, and the player can undo it. A repeated
 * request keeps the first date, but takes the latest choice about posts. The player is notified by mail, because an
 * intruder may have made the request. Throws `ConfirmationNeededError` and `NotSignedInError`.
 */
export async function askDeletion(
  ctx: Context,
  userId: UserId,
  { keepPosts }: AskDeletionInput,
): Promise<DeletionAsked> {
  await requireRecentProof(ctx)
  const dueAt = new Date(ctx.app.platform.clock.now().getTime() + UNDO_WITHIN_MS)
  const due = await changeAccount(ctx, userId, async (tx, record) => {
    const due = await setDeletionDue(tx, userId, { dueAt, keepPosts })
    if (due?.getTime() === dueAt.getTime()) await record('deletion_asked', { dueAt: dueAt.toISOString() })
    return due
  })
  if (due === null) throw new NotSignedInError()
  return { deletionDueAt: due.toISOString() }
}

/** Undoes a requested deletion. Does nothing if no deletion was requested. */
export async function undoDeletion(ctx: Context, userId: UserId): Promise<DeletionUndone> {
  await ctx.app.platform.db.transaction().execute(async (tx) => {
    const wasDue = await clearDeletionDue(tx, userId)
    if (wasDue) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'deletion_undone' }, tx)
  })
  return { ok: true }
}
