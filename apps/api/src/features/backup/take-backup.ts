import type { DatabaseClient } from '@papermoon/db'
import { exportDatabase, findHome, findSpool, readMigrations, takeBaseBackup } from '@papermoon/db/backup'
import { sql } from 'kysely'
import { readDatabaseTime } from '../../database/probe-database.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { BackupError } from './backup-error.ts'
import { copyPictures, listStoredPictures, listUsedPictures } from './backup-pictures.ts'
import { ROOM_BYTES_MIN, readRoom } from './location.ts'
import {
  type Audited,
  createBackupId,
  FORMAT,
  listBackups,
  type Manifest,
  removeBackup,
  writeManifest,
} from './manifest.ts'
import { countLackingMb, removeLeftovers } from './restore.ts'
import type { Vault } from './vault.ts'

export interface BackupSource {
  readonly database: DatabaseClient
  readonly objects: ObjectStore
  /** The embedded server's data folder. The backup is restored to a folder below it for the audit. */
  readonly dataDir: string
  readonly isEmbedded: boolean
}

export interface BackupPlan {
  /** Whether to export rows even if a copy of the data folder is possible. */
  readonly isLogical: boolean
  /** Restores the backup while the market runs, and audits the copy. */
  verify(backup: Manifest): Promise<Audited>
  say(line: string): void
  /** When the signal is aborted, the backup does not finish. */
  readonly signal: AbortSignal
}

type Taken = Pick<Manifest, 'position' | 'bytes' | 'plainBytes' | 'files' | 'base' | 'tables' | 'sequences'>

/**
 * Takes a backup of a running market: the pictures, the database, and pictures that were added meanwhile. Restores the
 * backup, audits the copy, and then writes the manifest. A backup without a manifest does not count. If the backup
 * fails, removes the files that it wrote. The caller ensures that no other process takes a backup. Throws BackupError.
 */
export async function takeBackup(source: BackupSource, vault: Vault, plan: BackupPlan): Promise<Manifest> {
  const { db } = source.database
  await vault.location.prepare()
  // Remove unfinished backups of killed processes.
  for (const id of (await listBackups(vault)).unfinished) await removeBackup(vault, id)
  await removeLeftovers(source.dataDir)
  const id = createBackupId(await readDatabaseTime(db))
  try {
    const pictures = await listStoredPictures(vault)
    await copyPictures(vault, source.objects, pictures)
    const migrations = await readMigrations(db)
    const lacking = await countLackingRoom(source)
    if (lacking > 0) plan.say(`${source.dataDir} needs ${lacking} MB more free space to verify the backup.`)
    const isBase = source.isEmbedded && lacking === 0 && !plan.isLogical
    if (!isBase && !plan.isLogical)
      plan.say('This backup is a logical export, so it can only be restored to the time at which it was taken.')
    const taken = await (isBase ? takeBase(vault, id, source) : takeExport(vault, id, source))
    // All pictures that the copy of the database refers to are copied by now. None of these pictures was deleted
    // meanwhile, because unused pictures are kept for an hour.
    await copyPictures(vault, source.objects, pictures)
    const used: ReadonlySet<string> = await listUsedPictures(db)
    const unusedPictures = [...pictures].filter((picture) => !used.has(picture))
    const described = { pictures: vault.picturesFolder, unusedPictures, verified: null }
    const manifest: Manifest = { format: FORMAT, id, ...taken, migrations, ...described }
    if (lacking === 0) manifest.verified = await plan.verify(manifest).catch(throwUnusable)
    plan.signal.throwIfAborted()
    await writeManifest(vault, manifest)
    return manifest
  } catch (error) {
    await removeBackup(vault, id).catch(() => {})
    throw error
  }
}

/** Returns how many more megabytes of disk space a copy of the database needs. */
export async function countLackingRoom({ dataDir, database: { db } }: BackupSource): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return await countLackingMb(dataDir, Number(rows[0]?.bytes))
}

/**
 * Copies the whole data folder online, with the log that makes it consistent. This copy writes nothing to the local
 * disk.
 */
async function takeBase(vault: Vault, id: string, { database, dataDir }: BackupSource): Promise<Taken> {
  const { address } = database
  if (!('password' in address)) throw new Error('the embedded server has a password')
  const archive = findSpool(dataDir)?.id ?? null
  const { taken, store } = createStore(vault, id)
  const { mark, label } = await takeBaseBackup(address, dataDir, {
    writeTar: (content) => store('base.tar', stopWithoutRoom(findHome(dataDir).folder, content)),
    writeLog: (name, bytes) => store(`wal/${name}`, [bytes]),
  })
  const { file: lastLog, ...position } = mark
  const base = { password: address.password, label, lastLog, archive }
  return { ...taken, position, base, tables: [], sequences: [] }
}

/** Copies the rows of all tables as they were at one time. */
async function takeExport(vault: Vault, id: string, { database }: BackupSource): Promise<Taken> {
  const tables: Manifest['tables'] = []
  const { taken, store } = createStore(vault, id)
  const { position, sequences } = await exportDatabase(database.address, async ({ name, columns }, rows) => {
    await store(`${name}.copy`, rows)
    tables.push({ name, columns: [...columns] })
  })
  return { ...taken, position, base: null, tables, sequences: [...sequences] }
}

/** Returns functions that store a backup's files and add up their sizes. */
function createStore(vault: Vault, id: string) {
  const taken = { files: {} as Manifest['files'], bytes: 0, plainBytes: 0 }
  const store = async (name: string, content: AsyncIterable<Buffer> | readonly Buffer[]) => {
    const { sha256s, bytes, plainBytes } = await vault.writeParts(`${id}/${name}`, content)
    taken.files[name] = sha256s
    taken.bytes += bytes
    taken.plainBytes += plainBytes
  }
  return { taken, store }
}

/**
 * Stops when the disk is nearly full. PostgreSQL keeps its log while its files are copied, and it stops when its disk
 * is full.
 */
async function* stopWithoutRoom(folder: string, content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  for await (const chunk of content) {
    if ((await readRoom(folder)) < ROOM_BYTES_MIN)
      throw new BackupError(`The disk of ${folder} has too little free space for a backup.`)
    yield chunk
  }
}

function throwUnusable(error: unknown): never {
  if (!(error instanceof BackupError)) throw error
  throw new BackupError(`The backup could not be restored, so it was removed: ${error.message}`, { cause: error })
}
