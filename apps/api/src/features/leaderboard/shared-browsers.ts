import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import type { ProfitSource } from './profit-sources.ts'

/**
 * Number of accounts, no younger than each player's, that signed in from one of the player's browsers in the last 90
 * days; including the player's. As with wallets, younger accounts do not count: of a person's accounts, the first may
 * win.
 */
export async function countBrowserAccounts(db: Kysely<Database>, ids: readonly UserId[]): Promise<Map<UserId, number>> {
  const { rows } = await sql<{ id: UserId; count: number }>`
    select u.id, 1 + count(distinct other.id)::int as count
      from users u
      join account_browsers own on own.user_id = u.id
      join account_browsers shared on shared.browser_hash = own.browser_hash and shared.user_id <> u.id
      join users other on other.id = shared.user_id and (other.created_at, other.id) < (u.created_at, u.id)
     where u.id = any(${ids}::int[]) group by u.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Winners whose largest source signed in from one of their browsers. */
export async function findBrowserSharers(
  db: Kysely<Database>,
  sources: ReadonlyMap<UserId, ProfitSource>,
): Promise<ReadonlySet<UserId>> {
  const winners = [...sources.keys()]
  const payers = [...sources.values()].map(({ userId }) => userId)
  const { rows } = await sql<{ winner_id: UserId }>`
    select distinct pair.winner_id
      from unnest(${winners}::int[], ${payers}::int[]) as pair (winner_id, source_id)
      join account_browsers own on own.user_id = pair.winner_id
      join account_browsers theirs on theirs.user_id = pair.source_id and theirs.browser_hash = own.browser_hash`.execute(
    db,
  )
  return new Set(rows.map((row) => row.winner_id))
}
