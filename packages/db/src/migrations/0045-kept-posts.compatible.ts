import { type Kysely, sql } from 'kysely'

/** Whether a player who leaves lets their posts stay, as those of a deleted player. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column keeps_posts boolean not null default false`.execute(db)
}
