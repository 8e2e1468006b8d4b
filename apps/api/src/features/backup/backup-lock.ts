import type pg from 'pg'
import { whileLocked } from '../../database/take-lock.ts'
import { BackupError } from './backup-error.ts'

/** Why a backup, or the backup schedule, ends when its lock's connection is lost. */
export const LOCK_LOST = new BackupError('The connection that kept other backups away was lost.')

/** Does work while no other process takes a backup of this database. Throws BackupError if another one does. */
export async function asOnlyBackup<T>(pool: pg.Pool, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const done = await whileLocked(pool, 'backupTaking', work, LOCK_LOST)
  if (done !== null) return done.result
  throw new BackupError('Another process takes a backup of this database; try again when it is done.')
}
