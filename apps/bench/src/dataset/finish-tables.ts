import type { DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'

/** Sets the id sequences and the planner's statistics, as on a market that grew. */
export async function finishTables(db: DatabaseClient['db']): Promise<void> {
  for (const table of ['tokens', 'trades']) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    )
  }
  await sql`alter table trades alter id set increment 1`.execute(db)
  await sql`vacuum (analyze)`.execute(db)
}
