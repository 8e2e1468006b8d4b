import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

/** How many rows of a table are a player's. */
export async function countOwn(
  db: Db,
  table: 'api_keys' | 'passkeys' | 'recovery_codes' | 'watchlist' | 'webhooks',
  userId: UserId,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where user_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Serializes changes of what a player has, such as credentials and limited lists, until the transaction ends. */
export async function lockUser(tx: Tx, userId: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
