import type pg from 'pg'
import { LOCK_IDS } from '../../database/lock-ids.ts'
import { BackupError } from './backup-error.ts'

/** Another process holds the lock. */
export class BackupBusyError extends BackupError {}

const busy = {
  backupTaking: 'Another process takes a backup of this database; try again when it is done.',
  backupKeeping: 'Another node keeps the backups.',
}

/**
 * Runs `work` while no other process of this database holds the lock; else throws BackupBusyError. The lock belongs to a
 * connection, so it ends with the process; `lost` is aborted when the connection breaks, and others may hold it.
 */
export async function holdLock<T>(
  pool: pg.Pool,
  lock: keyof typeof busy,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const lost = new AbortController()
  client.once('error', () => lost.abort(new BackupError('The connection that kept other backups away was lost.')))
  try {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK_IDS[lock]}) as taken`)
    if (!rows[0]?.taken) throw new BackupBusyError(busy[lock])
    return await work(lost.signal)
  } finally {
    // Closes the connection, which releases the lock.
    client.release(true)
  }
}
