import { type Kysely, sql } from 'kysely'

/** An operator may hide a token: it leaves every list, and nobody finds it. Its journal stays. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column hidden_at timestamptz(3)`.execute(db)
}
