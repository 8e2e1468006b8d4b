import { type Kysely, sql } from 'kysely'

/** Whether everybody sees what waits at which price of a fair's tokens: its host says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table fairs add column depth boolean not null default true`.execute(db)
}
