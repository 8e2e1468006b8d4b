import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import {
  acquireDataDirLock,
  connect,
  type DatabaseAddress,
  type DatabaseClient,
  EmbeddedPostgresError,
  migrateToLatest,
  startEmbedded,
} from '@papermoon/db'
import { assertKnownMigrations, createSchema, importDatabase, recoverCluster } from '@papermoon/db/backup'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { isNoSuchFile } from '../../storage/file-errors.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { readReached } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { listUsedPictures, restorePictures } from './backup-pictures.ts'
import { type Audited, type Backup, findBackup, listBackups, type Manifest } from './manifest.ts'
import type { Vault } from './vault.ts'

/** Where a restore works until it is complete. A server does not start on a folder that contains it. */
const UNFINISHED = 'restoring'
/** Names that a folder may contain and still count as empty. */
const IGNORED = new Set(['in-use-by', UNFINISHED, 'lost+found'])
const MEGABYTE = 1_048_576
/** For the log, temporary files of an audit, and what the market's own disk needs to go on. */
const EXTRA_BYTES = 384 * MEGABYTE

export type Audit = (database: DatabaseClient) => Promise<Audited>

export interface RestorePlan {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>
  /** One backup; null for the best one of the place. */
  readonly id: string | null
  /** The moment to restore; null for the latest. */
  readonly at: Date | null
  /** Opens the store for pictures, with files in this data folder. */
  openObjects(dataDir: string): Promise<ObjectStore>
  audit: Audit
  say(line: string): void
}

/** Restores a backup into an empty data folder, or an export into the empty database of DATABASE_URL. Throws BackupError. */
export async function restoreBackup(vault: Vault, plan: RestorePlan): Promise<Audited> {
  const chosen = await chooseBackup(vault, plan)
  const { id, manifest, until, reaches } = chosen
  const { dataDir, databaseUrl } = plan.config
  assertKnownMigrations(manifest.migrations)
  const done = `Restored what was committed up to ${reaches.toISOString()} into`
  if (manifest.base === null && databaseUrl !== null) {
    const database = await restoreInto(vault, chosen, databaseUrl)
    const audited = await finish(vault, database, { ...plan, dataDir }).finally(() => database.close())
    plan.say(`${done} the database of DATABASE_URL.`)
    return audited
  }
  await assertEmpty(dataDir)
  const lacking = await countLackingMb(dataDir, manifest.plainBytes)
  if (lacking > 0) throw new BackupError(`The disk of ${dataDir} has ${lacking} MB too little room for this backup.`)
  const lock = acquireDataDirLock(dataDir)
  try {
    const unfinished = join(dataDir, UNFINISHED)
    await removeDataFolder(unfinished)
    plan.say(`Restoring the backup ${id}${until === null ? '' : ` to ${until.toISOString()}`} …`)
    const audited = await withRestored(vault, chosen, unfinished, (database) =>
      finish(vault, database, { ...plan, dataDir: unfinished }),
    )
    await moveIntoPlace(unfinished, dataDir)
    plan.say(`${done} ${dataDir}.`)
    return audited
  } finally {
    lock.release()
  }
}

/** Restores a backup below `dataDir`, beside the market, audits the copy and removes it. */
export async function verifyAside(vault: Vault, backup: Backup, dataDir: string, audit: Audit): Promise<Audited> {
  const folder = join(dataDir, `aside-${randomBytes(4).toString('hex')}`)
  try {
    return await withRestored(vault, { ...backup, until: null }, folder, audit)
  } finally {
    await removeDataFolder(folder)
  }
}

/** How many megabytes a folder's disk lacks for a restored database of `bytes`; 0 if it has room. */
export async function countLackingMb(folder: string, bytes: number): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const { bavail, bsize } = await statfs(folder)
  return Math.max(0, Math.ceil((bytes + EXTRA_BYTES - bavail * bsize) / MEGABYTE))
}

/** Removes a data folder, and the home of its PostgreSQL if that is elsewhere. */
export async function removeDataFolder(folder: string): Promise<void> {
  const home = await readFile(join(folder, 'postgres-is-at'), 'utf8').catch((error: unknown) => {
    if (!isNoSuchFile(error)) throw error
  })
  if (home) await rm(home.trim(), { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

interface Chosen extends Backup {
  /** Where PostgreSQL stops in the log; null for the end of the backup. */
  readonly until: Date | null
  /** Every commit before it is restored. */
  readonly reaches: Date
}

/** Chooses the newest backup that holds the moment `at`, else the latest. Throws BackupError. */
async function chooseBackup(vault: Vault, { id, at }: Pick<RestorePlan, 'id' | 'at'>): Promise<Chosen> {
  let nearest: Date | null = null
  let oldest: Date | null = null
  for await (const backup of id === null ? listBackups(vault) : [await findBackup(vault, id)]) {
    if (backup === null) continue
    const { at: begins, base } = backup.manifest
    const reached = base === null || base.archive === null ? null : await readReached(vault, base.archive)
    const reaches = reached !== null && reached > begins ? reached : begins
    const until = at ?? reaches
    if (until >= begins && until <= reaches) return { ...backup, until: until > begins ? until : null, reaches: until }
    if (at === null) break
    if (begins <= at && (nearest === null || reaches > nearest)) nearest = reaches
    oldest = begins
  }
  if (at === null || oldest === null) throw new BackupError(await describeNone(vault, id))
  throw new BackupError(
    nearest === null
      ? `${at.toISOString()} is before the oldest backup, which holds ${oldest.toISOString()}.`
      : `${at.toISOString()} is later than what the backups hold: the last moment before it is ${nearest.toISOString()}.`,
  )
}

async function describeNone(vault: Vault, id: string | null): Promise<string> {
  return `There is no complete backup ${id === null ? '' : `${id} `}in ${vault.place.label}.`
}

/** Restores a backup's database into an empty folder, brings it up to date, and stops it after `work`. */
async function withRestored<T>(
  vault: Vault,
  backup: Backup & { readonly until: Date | null },
  dataDir: string,
  work: (database: DatabaseClient) => Promise<T>,
): Promise<T> {
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o711)
  const { base } = backup.manifest
  const postgres = base === null ? await startEmbedded({ dataDir }) : await recover(vault, { ...backup, base }, dataDir)
  try {
    const database =
      base === null ? await fillDatabase(vault, backup, postgres.address) : await openUpToDate(postgres.address)
    return await work(database).finally(() => database.close())
  } finally {
    await postgres.stop()
  }
}

type BaseBackup = Backup & { readonly until: Date | null; readonly base: NonNullable<Manifest['base']> }

async function recover(vault: Vault, { id, until, base }: BaseBackup, dataDir: string) {
  let missing = ''
  try {
    return await recoverCluster(dataDir, {
      tar: vault.readParts(`${id}/base.tar`, base),
      password: base.password,
      until,
      readLog: async function* (first) {
        for (missing = first; ; missing = getNextLogFile(missing)) {
          const bytes = await vault.find(`wal/${base.archive}/${missing}`)
          if (bytes === null) return
          yield { name: missing, bytes }
        }
      },
    })
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    const isGap = /recovery ended before configured recovery target was reached/.test(error.message)
    const message = isGap
      ? `The log file ${missing} is missing; restore to a moment before it with --at.`
      : error.message
    throw new BackupError(message, { cause: error })
  }
}

/** The name of a file of the log has its timeline and, in two parts, its number: the low part has one byte. */
function getNextLogFile(name: string): string {
  const number = BigInt(`0x${name.slice(8, 16)}${name.slice(22)}`) + 1n
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0')
  return `${name.slice(0, 8)}${hex(number >> 8n)}${hex(number & 0xffn)}`
}

async function openUpToDate(address: DatabaseAddress): Promise<DatabaseClient> {
  const database = connect(address, { poolMax: 3, applicationName: 'papermoon-restore' })
  try {
    await migrateToLatest(database.db)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Makes the schema and the rows of an export in an empty database, and brings it up to date. */
async function fillDatabase(vault: Vault, { id, manifest }: Backup, address: DatabaseAddress): Promise<DatabaseClient> {
  const { migrations, tables, sequences } = manifest
  const schema = connect(address, { poolMax: 1, applicationName: 'papermoon-restore' })
  await createSchema(schema.db, migrations).finally(() => schema.close())
  await importDatabase(address, {
    tables,
    sequences,
    read: (table) => vault.readParts(`${id}/${table.name}.copy`, table),
  })
  return await openUpToDate(address)
}

async function restoreInto(vault: Vault, backup: Backup, url: string): Promise<DatabaseClient> {
  const target = connect({ connectionString: url }, { poolMax: 1, applicationName: 'papermoon-restore' })
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = any(current_schemas(false)) limit 1`
    .execute(target.db)
    .finally(() => target.close())
  if (rows.length === 0) return await fillDatabase(vault, backup, { connectionString: url })
  throw new BackupError('The database of DATABASE_URL is not empty; create another one to restore into.')
}

/** Restores the pictures and audits the database. */
async function finish(
  vault: Vault,
  database: DatabaseClient,
  { openObjects, dataDir, say, audit }: RestorePlan & { readonly dataDir: string },
): Promise<Audited> {
  const used = await listUsedPictures(database.db)
  const missing = await restorePictures(vault, await openObjects(dataDir), used)
  const lacks = missing === 0 ? '' : `, and ${missing} that the backup lacks`
  if (used.size > 0) say(`Pictures: ${used.size - missing}${lacks}.`)
  return await audit(database)
}

/** Moves what was restored up, the database last. */
async function moveIntoPlace(unfinished: string, dataDir: string): Promise<void> {
  const names = (await readdir(unfinished)).filter((name) => name !== 'in-use-by')
  const isDatabase = (name: string) => name.startsWith('postgres')
  for (const name of [...names.filter((name) => !isDatabase(name)), ...names.filter(isDatabase)]) {
    await rename(join(unfinished, name), join(dataDir, name))
  }
  await rm(unfinished, { recursive: true, force: true })
}

async function assertEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNoSuchFile(error)) return []
    throw error
  })
  const found = names.find((name) => !IGNORED.has(name))
  if (found === undefined) return
  throw new BackupError(
    `The data folder ${folder} is not empty (there is ${found}); set DATA_DIR to an empty or new folder.`,
  )
}
