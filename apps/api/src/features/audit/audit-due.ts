import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { readDatabaseTime } from '../../database/time.ts'

/** Any fixed number, the same in every process of every version: it names the lock of a scheduled replay. */
const REPLAY_LOCK_ID = 727_466_008

/**
 * Whether the last full replay ended longer ago than this, or there was none; by PostgreSQL's clock unless told a moment. One that
 * is to end in the future was dated by a wrong clock, and does not count.
 */
export async function isAuditDue(db: Kysely<Database>, everyHours: number, moment?: Date): Promise<boolean> {
  const now = moment ?? (await readDatabaseTime(db))
  const { rows } = await sql<{ at: Date | null }>`
    select max(finished_at) as at from audits where finished_at <= ${now}`.execute(db)
  const at = rows[0]?.at ?? null
  return at === null || now.getTime() - at.getTime() >= everyHours * 3_600_000
}

/**
 * Runs `work` unless another node runs its own: returns false then. The lock belongs to a connection, so it ends with the
 * process, whatever ends that.
 */
export async function asOnlyReplay(pool: pg.Pool, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${REPLAY_LOCK_ID}) as taken`)
    if (!rows[0]?.taken) return false
    await work()
    return true
  } finally {
    // Closed, and the lock with it.
    client.release(true)
  }
}
