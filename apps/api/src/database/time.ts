import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'

/**
 * The time by PostgreSQL's clock: for what all nodes on one database share and a single node with a wrong clock must not
 * decide.
 */
export async function readDatabaseTime(db: Kysely<Database>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp()::timestamptz(3) as now`.execute(db)
  if (rows[0] === undefined) throw new Error('a time without a row')
  return rows[0].now
}
