import { type Kysely, sql } from 'kysely'

/**
 * The index of idempotency keys by key, then player. Keys that the engine and the web make rise with time (UUID version 7), so their
 * entries stand side by side at its end: by player first, each trade touched a page of its own, and among ten million trades most of
 * what was written to the log were these pages, whole, once after every checkpoint.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'drop index trades_request',
  'create unique index trades_request on trades (request_key, user_id) where request_key is not null',
]
