import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'

/**
 * Counts, for each player, the accounts that logged in from one of the player's browsers in the last 90 days, including
 * the player's own. Younger accounts do not count, so that the first account of a person may win.
 */
export async function countBrowserAccounts(db: Db, ids: readonly UserId[]): Promise<Map<UserId, number>> {
  const { rows } = await sql<{ id: UserId; count: number }>`
    select u.id, 1 + count(distinct other.id)::int as count
      from users u
      join account_browsers own on own.user_id = u.id
      join account_browsers shared on shared.browser_hash = own.browser_hash and shared.user_id <> u.id
      join users other on other.id = shared.user_id and (other.created_at, other.id) < (u.created_at, u.id)
     where u.id = any(${ids}::int[]) group by u.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Returns SQL for whether two players logged in from the same browser. */
export function sharesBrowser(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from account_browsers ours join account_browsers theirs using (browser_hash)
     where ours.user_id = ${one} and theirs.user_id = ${other})`
}
