import type { DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'

/** Ids go on where they ended, and the planner knows what is there, as on a market that grew. */
export async function finishTables(db: DatabaseClient['db']): Promise<void> {
  for (const table of ['tokens', 'trades']) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    )
  }
  await sql`alter table trades alter id set increment 1`.execute(db)
  await sql`vacuum (analyze)`.execute(db)
}
