import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { hashSecret, newSecret } from '../credentials.ts'

const BROWSERS_PER_ACCOUNT = 20
const ACCOUNTS_PER_BROWSER = 20
const TOKEN = /^[\w-]{43}$/

export interface BrowserUse {
  readonly userId: UserId
  /** Content of the browser's cookie; null if it has none yet. */
  readonly token: string | null
  readonly now: Date
}

/**
 * Records that an account logged in from a browser, so that a giveaway can detect accounts that share one. Returns the
 * random token for the browser's cookie, of which only a hash is stored. Beyond the limit, deletes an account's
 * browsers that no other account uses first.
 */
export async function recordBrowser(tx: Tx, { userId, token, now }: BrowserUse): Promise<string> {
  const known = token !== null && TOKEN.test(token) ? token : newSecret()
  const hash = hashSecret(known)
  await sql`
    insert into account_browsers as b (user_id, browser_hash, first_seen_at, last_seen_at)
    values (${userId}, ${hash}, ${now}, ${now})
    on conflict (user_id, browser_hash) do update set last_seen_at = greatest(b.last_seen_at, excluded.last_seen_at)`.execute(
    tx,
  )
  await sql`
    delete from account_browsers where user_id = ${userId} and browser_hash in (
      select browser_hash from account_browsers b where user_id = ${userId}
       order by browser_hash = ${hash} desc,
                exists (select from account_browsers o where o.browser_hash = b.browser_hash and o.user_id <> b.user_id) desc,
                last_seen_at desc, browser_hash
      offset ${BROWSERS_PER_ACCOUNT})`.execute(tx)
  await sql`
    delete from account_browsers where browser_hash = ${hash} and user_id in (
      select user_id from account_browsers where browser_hash = ${hash}
       order by user_id = ${userId} desc, last_seen_at desc, user_id
      offset ${ACCOUNTS_PER_BROWSER})`.execute(tx)
  return known
}
