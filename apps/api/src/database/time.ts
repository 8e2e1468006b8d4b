import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

/**
 * Reads PostgreSQL's clock, for decisions that all nodes on a database share and that a node with a wrong clock must
 * not make.
 */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp()::timestamptz(3) as now`.execute(db)
  if (rows[0] === undefined) throw new Error('PostgreSQL returned no time')
  return rows[0].now
}
