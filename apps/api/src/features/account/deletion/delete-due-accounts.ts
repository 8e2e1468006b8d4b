import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import { forgetCredentials, forgetNames } from '../end-credentials.ts'
import { anonymize, eraseOldWallets, eraseRows, findJustDeleted, lockDueAccount } from './store.ts'

/** Max number of accounts per round, for the first round after a long downtime. The next round deletes the rest. */
const ACCOUNTS_A_ROUND = 500

type Parts = AppPart<
  'db' | 'clock' | 'log' | 'securityLog' | 'sessions' | 'apiKeys' | 'queryCache' | 'journal' | 'fairs'
>

/**
 * Deletes accounts that are due, including those that became due while no server ran. One node deletes an account in one transaction; afterwards, the personal data is gone, and the
 * journal stays. Rows that a running call wrote for a deleted player are removed in later rounds.
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

/** Deletes the account that has been due for longest; returns null when there is none. */
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
