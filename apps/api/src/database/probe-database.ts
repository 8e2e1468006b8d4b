import { isDatabaseFull, isDiskFull, withTimeout } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../context.ts'

/** A silent database counts as away long before its connections time out. */
const ANSWER_WITHIN_MS = 2_000

/** What can be done with the database now: `full` is one that cannot write. */
export type DatabaseCondition = 'ready' | 'full' | 'away'

/** Never rejects. */
export async function probeDatabase({
  platform: { db, config },
}: AppPart<'db' | 'config'>): Promise<DatabaseCondition> {
  try {
    // More rows than fit into this memory: a megabyte goes to a temporary file, and to no table or log.
    const write = sql`set local work_mem = '64kB'; select count(*) from generate_series(1, 60000)`
    await withTimeout(write.execute(db), ANSWER_WITHIN_MS)
    return 'ready'
  } catch (error) {
    // A PostgreSQL that finds no room for its log ends, so nobody answers.
    const isFull = isDatabaseFull(error) || (config.databaseUrl === null && isDiskFull(config.dataDir))
    return isFull ? 'full' : 'away'
  }
}
