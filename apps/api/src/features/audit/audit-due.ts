import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { readDatabaseTime } from '../../database/time.ts'

/**
 * Returns whether the last full replay ended at least `everyHours` ago, or there was none. Uses PostgreSQL's clock
 * unless `moment` is given. A replay that a wrong clock dated in the future does not count.
 */
export async function isAuditDue(db: Db, everyHours: number, moment?: Date): Promise<boolean> {
  const now = moment ?? (await readDatabaseTime(db))
  const { rows } = await sql<{ at: Date | null }>`
    select max(finished_at) as at from audits where finished_at <= ${now}`.execute(db)
  const at = rows[0]?.at ?? null
  return at === null || now.getTime() - at.getTime() >= everyHours * 3_600_000
}
