import { type Kysely, sql } from 'kysely'

/** Operators may hide a token: it disappears from lists and search. Its journal stays. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column hidden_at timestamptz(3)`.execute(db)
}
