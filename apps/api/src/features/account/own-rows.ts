import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

/** Returns how many of a table's rows belong to a player. */
export async function countOwn(
  db: Db,
  table: 'api_keys' | 'passkeys' | 'recovery_codes' | 'watchlist' | 'webhooks',
  userId: UserId,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where user_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Locks a player's row until the transaction ends, so that changes to the player's data, such as credentials and
 * limited lists, happen one after another.
 */
export async function lockUser(tx: Tx, userId: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
