import type { AskDeletionInput, DeletionAsked, DeletionUndone } from '@papermoon/contract/account'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { AppPart, Context } from '../../../context.ts'
import { changeAccount } from '../change-account.ts'
import { forgetCredentials, forgetNames } from '../end-credentials.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { requireRecentProof } from '../step-up.ts'
import {
  anonymize,
  clearDeletionDue,
  eraseOldWallets,
  eraseRows,
  findJustDeleted,
  lockDueAccount,
  setDeletionDue,
} from './store.ts'

/**
 * Max number of accounts per round. This limit matters in the first round after a long downtime. The next round handles
 * the remaining ones.
 */
const ACCOUNTS_A_ROUND = 500

type Parts = AppPart<
  'db' | 'clock' | 'log' | 'securityLog' | 'sessions' | 'apiKeys' | 'queryCache' | 'journal' | 'fairs'
>

/**
 * Deletes accounts that are due, including those that became due while no server ran. One node deletes each account in
 * one transaction. Deleting an account deletes the personal data, but the journal stays. If a running call writes rows
 * for a deleted player, later rounds remove them.
 */
export async function deleteDueAccounts(app: Parts, stopping?: AbortSignal): Promise<void> {
  for (let count = 0; count < ACCOUNTS_A_ROUND && !stopping?.aborted; count++) {
    if ((await deleteOne(app)) === null) break
  }
  for (const userId of await findJustDeleted(app.platform.db)) {
    if (stopping?.aborted) return
    forgetCredentials(app, await app.platform.db.transaction().execute((tx) => eraseRows(tx, userId)))
  }
  await eraseOldWallets(app.platform.db, app.platform.clock.now())
}

/** Deletes the account that has been due for longest; returns null when no account is due. */
async function deleteOne(app: Parts): Promise<UserId | null> {
  const done = await app.platform.db.transaction().execute(async (tx) => {
    const userId = await lockDueAccount(tx, app.platform.clock.now())
    if (userId === null) return null
    const ended = await eraseRows(tx, userId)
    await anonymize(tx, userId)
    return { userId, ended }
  })
  if (done === null) return null
  forgetCredentials(app, done.ended)
  forgetNames(app)
  app.accounts.securityLog.done({ kind: 'deleted', userId: done.userId, ip: null })
  return done.userId
}

const UNDO_WITHIN_MS = 7 * 24 * 3_600_000

/**
 * Schedules an account's deletion in seven days. Until then, nothing changes, and the player can undo the request. A
 * repeated request keeps the first date, but uses the latest choice about posts. The player is notified by mail,
 * because an intruder may have made the request. Throws `ConfirmationNeededError` and `NotSignedInError`.
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

/** Cancels a requested deletion. Does nothing if the player requested no deletion. */
export async function undoDeletion(ctx: Context, userId: UserId): Promise<DeletionUndone> {
  await ctx.app.platform.db.transaction().execute(async (tx) => {
    const wasDue = await clearDeletionDue(tx, userId)
    if (wasDue) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'deletion_undone' }, tx)
  })
  return { ok: true }
}
