import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql, type Transaction } from 'kysely'

/** How many rows of a table are a player's. */
export async function countOwn(
  db: Kysely<Database>,
  table: 'api_keys' | 'passkeys' | 'recovery_codes' | 'watchlist' | 'webhooks',
  userId: UserId,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where user_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Serializes changes of what a player has, such as credentials and limited lists, until the transaction ends. */
export async function lockUser(tx: Transaction<Database>, userId: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
