import type pg from 'pg'
import { LOCK_IDS } from '../../database/lock-ids.ts'
import { BackupError } from './backup-error.ts'

/** Another process holds the lock. */
export class BackupBusyError extends BackupError {}

/**
 * Runs `work` while no other process takes a backup of this database; else throws BackupBusyError. `lost` is aborted when
 * another process may begin one.
 */
export function asOnlyBackup<T>(pool: pg.Pool, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const busy = 'Another process takes a backup of this database; try again when it is done.'
  return holdLock(pool, { id: LOCK_IDS.backupTaking, busy }, (broken) => {
    const lost = new AbortController()
    broken.catch(() => lost.abort(new BackupError('The connection that kept other backups away was lost.')))
    return work(lost.signal)
  })
}

/** Runs `work` on the one node that archives this database; else throws BackupBusyError. */
export function asOnlyKeeper<T>(pool: pg.Pool, work: (lost: Promise<never>) => Promise<T>): Promise<T> {
  return holdLock(pool, { id: LOCK_IDS.backupKeeping, busy: 'Another node keeps the backups.' }, work)
}

interface Lock {
  readonly id: number
  readonly busy: string
}

/** The lock belongs to a connection, so it ends with the process; `lost` rejects when the connection breaks. */
async function holdLock<T>(pool: pg.Pool, { id, busy }: Lock, work: (lost: Promise<never>) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const { promise: lost, reject } = Promise.withResolvers<never>()
  lost.catch(() => {}) // Nobody may wait for it.
  client.once('error', reject)
  try {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${id}) as taken`)
    if (!rows[0]?.taken) throw new BackupBusyError(busy)
    return await work(lost)
  } finally {
    // Closes the connection, which releases the lock.
    client.release(true)
  }
}
