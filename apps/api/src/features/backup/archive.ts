import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseClient } from '@papermoon/db'
import {
  endLogFile,
  findSpool,
  type LogPosition,
  openSpool,
  readLogPosition,
  removeSpool,
  type Spool,
} from '@papermoon/db/backup'
import { BackupError, nullIfUnreadable, UnreadableError } from './backup-error.ts'
import { parsePosition } from './manifest.ts'
import type { Vault } from './vault.ts'

const ARCHIVED_WITHIN_MS = 30_000
const CHECK_EVERY_MS = 50
/** Spool file that contains the last position that was stored. */
const REACHED_FILE = '.reached'

const toReachedName = (archive: string): string => `wal/${archive}/reached.json`

/** Returns the latest position to which an archive can restore; null if the archive has no file yet. */
export async function readReached(vault: Vault, archive: string): Promise<LogPosition | null> {
  const bytes = await vault.find(toReachedName(archive))
  if (bytes === null) return null
  const reached = parsePosition(bytes)
  if (reached === null) throw new UnreadableError(`${toReachedName(archive)} is damaged.`)
  return reached
}

interface ArchiveParts {
  readonly vault: Vault
  readonly database: Pick<DatabaseClient, 'pool'>
  readonly dataDir: string
}

/**
 * Opens the spool for the archive of this database. No file is missing from an archive. Begins another archive, which
 * needs another backup, if files went to another destination, if this destination lost files, or if `BACKUP_KEY`
 * changed.
 */
async function openArchive({ vault, database, dataDir }: ArchiveParts): Promise<Spool> {
  const { system, timeline } = await readLogPosition(database.pool)
  const history = `${system}-${timeline}`
  const spool = openSpool(dataDir, history)
  const file = join(spool.folder, REACHED_FILE)
  if (!existsSync(file)) return spool
  // A power cut can leave an incomplete file.
  const last = parsePosition(await readFile(file))
  const stored = await readReached(vault, spool.id).catch(nullIfUnreadable)
  if (last !== null && stored !== null && stored.lsn >= last.lsn) return spool
  removeSpool(dataDir)
  return openSpool(dataDir, history)
}

/**
 * Stores the files in the spool. Afterwards, the function makes PostgreSQL finish its current log file, and stores that
 * file, too. While the destination is unreachable, the first step fails, so no further log files are made. Returns the
 * last position that the archive contains. Throws BackupError; the spool keeps files until they are stored.
 */
export async function archiveLog(parts: ArchiveParts): Promise<LogPosition> {
  const { vault, database, dataDir } = parts
  await vault.location.prepare()
  const spool = await openArchive(parts)
  await storeLog(vault, spool)
  const { file, ...reached } = await endLogFile(database.pool)
  const last = join(spool.folder, file)
  for (const giveUpAt = Date.now() + ARCHIVED_WITHIN_MS; !existsSync(last); await sleep(CHECK_EVERY_MS)) {
    if (findSpool(dataDir)?.id !== spool.id) {
      throw new BackupError(
        `The log files in ${spool.folder} were dropped, because they reached 4 GB or the disk is nearly full.`,
      )
    }
    if (Date.now() > giveUpAt) throw new BackupError('PostgreSQL cannot archive its log. Its own log file says why.')
  }
  await storeLog(vault, spool)
  const text = JSON.stringify(reached)
  await vault.write(toReachedName(spool.id), Buffer.from(text))
  await writeFile(join(spool.folder, REACHED_FILE), text, { flush: true })
  return reached
}

async function storeLog(vault: Vault, { folder, id }: Spool): Promise<void> {
  for (const file of (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()) {
    await vault.write(`wal/${id}/${file}`, await readFile(join(folder, file)))
    await rm(join(folder, file))
  }
}
