import { createReadStream } from 'node:fs'
import type { Database, DatabaseClient } from '@papermoon/db'
import { exportDatabase, findSpoolId, readMigrations, withBaseBackup } from '@papermoon/db/backup'
import { type Kysely, sql } from 'kysely'
import { readDatabaseTime } from '../../database/time.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { BackupError } from './backup-error.ts'
import { copyPictures, listKeptPictures, listUsedPictures } from './backup-pictures.ts'
import {
  type Audited,
  type Backup,
  createBackupId,
  FORMAT,
  findBackup,
  listBackupIds,
  type Manifest,
  removeBackup,
  writeManifest,
} from './manifest.ts'
import { countLackingMb } from './restore.ts'
import { PART_BYTES, type Vault } from './vault.ts'

export interface BackupSource {
  readonly database: DatabaseClient
  readonly objects: ObjectStore
  /** Where a copy is restored aside; the data folder of the embedded server. */
  readonly dataDir: string
  readonly isEmbedded: boolean
}

export interface BackupPlan {
  /** Rows instead of a copy of the data folder, whatever is possible. */
  readonly isLogical: boolean
  /** Restores the backup aside and audits it. */
  verify(backup: Backup): Promise<Audited>
  say(line: string): void
  /** Once aborted, the backup is not completed. */
  readonly signal: AbortSignal
}

type Taken = Pick<Manifest, 'at' | 'bytes' | 'plainBytes' | 'base' | 'tables' | 'sequences'>

/**
 * Takes a backup of a running market: pictures, database, the pictures of meanwhile. Restores it aside and audits the copy, then
 * writes its manifest, without which it does not count. What a failed one wrote is removed. The caller makes sure that no other
 * process takes one. Throws BackupError.
 */
export async function takeBackup(source: BackupSource, vault: Vault, plan: BackupPlan): Promise<Backup> {
  const { db } = source.database
  await vault.place.prepare()
  await removeUnfinished(vault)
  const id = createBackupId(await readDatabaseTime(db))
  try {
    const pictures = await listKeptPictures(vault)
    await copyPictures(vault, source.objects, pictures)
    const migrations = await readMigrations(db)
    const lacking = await countLackingRoom(source)
    if (lacking > 0) plan.say(`${source.dataDir} has ${lacking} MB too little room to restore the backup aside.`)
    const taken = await takeDatabase(source, vault, { ...plan, id, hasRoom: lacking === 0 })
    // A picture that the copy refers to was there before, or is younger than the hour that unused ones are kept.
    await copyPictures(vault, source.objects, pictures)
    const used: ReadonlySet<string> = await listUsedPictures(db)
    const unusedPictures = [...pictures].filter((picture) => !used.has(picture))
    const manifest: Manifest = { format: FORMAT, ...taken, migrations, unusedPictures, verified: null }
    if (lacking === 0) manifest.verified = await plan.verify({ id, manifest }).catch(throwUnusable)
    plan.signal.throwIfAborted()
    await writeManifest(vault, { id, manifest })
    return { id, manifest }
  } catch (error) {
    await removeBackup(vault, id).catch(() => {})
    throw error
  }
}

/** How many megabytes there are too few for a copy of the database below the data folder. */
export async function countLackingRoom({ dataDir, database: { db } }: BackupSource): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return await countLackingMb(dataDir, Number(rows[0]?.bytes))
}

/** Removes what a killed process left. No other process takes a backup meanwhile. */
async function removeUnfinished(vault: Vault): Promise<void> {
  for (const id of await listBackupIds(vault)) {
    if ((await findBackup(vault, id)) === null) await removeBackup(vault, id)
  }
}

async function takeDatabase(
  source: BackupSource,
  vault: Vault,
  { id, isLogical, hasRoom, say }: BackupPlan & { readonly id: string; readonly hasRoom: boolean },
): Promise<Taken> {
  if (source.isEmbedded && hasRoom && !isLogical) return await takeBase(vault, id, source)
  if (!isLogical) say('This is a logical export: --at can restore its moment only.')
  return await takeExport(vault, id, source.database)
}

/** Copies the whole data folder online, with the log that makes it consistent. */
async function takeBase(vault: Vault, id: string, { database, dataDir }: BackupSource): Promise<Taken> {
  const { address, db } = database
  if (!('password' in address)) throw new Error('the embedded server has a password')
  const archive = findSpoolId(dataDir)
  const firstLog = await readLogFile(db)
  return await withBaseBackup(address, dataDir, async (tar) => {
    const at = await readDatabaseTime(db)
    const content = createReadStream(tar, { highWaterMark: PART_BYTES })
    const { parts, ...sizes } = await vault.writeParts(`${id}/base.tar`, content)
    const base = { parts, password: address.password, archive, firstLog }
    return { at, ...sizes, base, tables: [], sequences: [] }
  })
}

/** The file of the log that is written now. */
async function readLogFile(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_current_wal_insert_lsn()) as name`.execute(db)
  return rows[0]?.name ?? ''
}

/** Copies the rows of all tables at one moment. */
async function takeExport(vault: Vault, id: string, { address }: DatabaseClient): Promise<Taken> {
  const tables: Manifest['tables'] = []
  const sizes = { bytes: 0, plainBytes: 0 }
  const { at, sequences } = await exportDatabase(address, async ({ name, columns }, rows) => {
    const { parts, bytes, plainBytes } = await vault.writeParts(`${id}/${name}.copy`, rows)
    tables.push({ name, columns: [...columns], parts })
    sizes.bytes += bytes
    sizes.plainBytes += plainBytes
  })
  return { at, ...sizes, base: null, tables, sequences: [...sequences] }
}

function throwUnusable(error: unknown): never {
  if (!(error instanceof BackupError)) throw error
  throw new BackupError(`The backup could not be restored, so it was removed: ${error.message}`, { cause: error })
}
