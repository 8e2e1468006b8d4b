import type { UserId } from '@papermoon/engine'
import { forgetCredentials } from '../../../accounts/end-credentials.ts'
import { forgetNames } from '../../../cache/forget-names.ts'
import type { AppPart } from '../../../context.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'
import { anonymize, eraseOldWallets, eraseRows, findJustDeleted, lockDueAccount } from './store.ts'

const LOOK_EVERY_MS = 60_000
/** Bounds one round after a long downtime; the rest follows in the next. */
const ACCOUNTS_A_ROUND = 500

type Parts = AppPart<
  'db' | 'clock' | 'log' | 'securityLog' | 'sessions' | 'apiKeys' | 'queryCache' | 'journalPages' | 'fairs'
>

/**
 * Deletes accounts soon after they are due, also those that became due while no server ran. Several nodes may do this
 * on one database.
 */
export function startAccountDeletion(app: Parts & AppPart<'timers'>): PeriodicJob {
  const { timers, log } = app.platform
  const failed = (error: unknown) => log.warn({ err: error }, 'accounts that are due are not deleted yet')
  return startPeriodicJob({ timers, everyMs: LOOK_EVERY_MS, failed }, (stopping) => deleteDueAccounts(app, stopping))
}

/**
 * Runs one round. One node deletes an account in one transaction: personal data is gone after it, and the journal
 * stays. Rows that a call in flight wrote for a deleted player are removed in later rounds.
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

/** Deletes the account that has been due the longest; null when there is none. */
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
