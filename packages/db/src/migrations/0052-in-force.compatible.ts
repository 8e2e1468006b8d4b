import { type Kysely, sql } from 'kysely'

/** What operators have set is the newest row of the log about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index moderation_log_in_force on moderation_log (kind, target_id, id)
      where kind in ('announcement', 'bound')`.execute(db)
}
