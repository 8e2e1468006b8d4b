import type pg from 'pg'
import { takeLock } from '../../database/take-lock.ts'
import { BackupError } from './backup-error.ts'

/** Another process holds the lock. */
export class BackupBusyError extends BackupError {}

const busy = {
  backupTaking: 'Another process takes a backup of this database; try again when it is done.',
  backupKeeping: 'Another node keeps the backups.',
}

/** Runs `work` while no other process of this database holds the lock; else throws BackupBusyError. */
export async function holdLock<T>(
  pool: pg.Pool,
  lock: keyof typeof busy,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new BackupError('The connection that kept other backups away was lost.')
  const held = await takeLock(pool, lock, lost)
  if (held === null) throw new BackupBusyError(busy[lock])
  try {
    return await work(held.lost)
  } finally {
    held.release()
  }
}
