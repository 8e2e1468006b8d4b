import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { LOCK_IDS } from '../../database/lock-ids.ts'
import { readDatabaseTime } from '../../database/time.ts'

/**
 * Whether the last full replay ended at least `everyHours` ago, or there was none. By PostgreSQL's clock unless
 * `moment` is given. A replay dated in the future by a wrong clock does not count.
 */
export async function isAuditDue(db: Kysely<Database>, everyHours: number, moment?: Date): Promise<boolean> {
  const now = moment ?? (await readDatabaseTime(db))
  const { rows } = await sql<{ at: Date | null }>`
    select max(finished_at) as at from audits where finished_at <= ${now}`.execute(db)
  const at = rows[0]?.at ?? null
  return at === null || now.getTime() - at.getTime() >= everyHours * 3_600_000
}

/**
 * Runs `work` unless a replay is running elsewhere; returns false then. The lock belongs to a connection, so it ends
 * with the process even in a crash.
 */
export async function asOnlyReplay(pool: pg.Pool, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${LOCK_IDS.auditReplay}) as taken`,
    )
    if (!rows[0]?.taken) return false
    await work()
    return true
  } finally {
    // Closes the connection, which releases the lock.
    client.release(true)
  }
}
