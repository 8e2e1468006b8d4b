import { type Db, isDatabaseFull, isDiskFull, withTimeout } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../context.ts'

/** How long to wait for a response before the database counts as unreachable, in ms. */
const ANSWER_WITHIN_MS = 2_000

/** What the database can do now; `full` means that it cannot write, because its disk is full. */
export type DatabaseCondition = 'ready' | 'full' | 'away'

/** Checks whether the database can read and write. Never rejects. */
export async function probeDatabase({
  platform: { db, config },
}: AppPart<'db' | 'config'>): Promise<DatabaseCondition> {
  try {
    // This query has more rows than fit into memory, so PostgreSQL writes a megabyte to a temporary file, but nothing
    // to a table or to its log.
    const write = sql`set local work_mem = '64kB'; select count(*) from generate_series(1, 60000)`
    await withTimeout(write.execute(db), ANSWER_WITHIN_MS)
    return 'ready'
  } catch (error) {
    // Check the disk itself, because PostgreSQL stops responding when it has no space for its log.
    const isFull = isDatabaseFull(error) || (config.databaseUrl === null && isDiskFull(config.dataDir))
    return isFull ? 'full' : 'away'
  }
}

/**
 * Reads PostgreSQL's clock. Nodes use the database's clock for decisions that they must all make in the same way, even
 * if a node's own clock is wrong.
 */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp()::timestamptz(3) as now`.execute(db)
  if (rows[0] === undefined) throw new Error('PostgreSQL returned no time')
  return rows[0].now
}
