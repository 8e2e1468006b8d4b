import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  acquireDataDirLock,
  connect,
  type DatabaseAddress,
  type DatabaseClient,
  DataDirInUseError,
  EmbeddedPostgresError,
  migrateToLatest,
  startEmbedded,
} from '@papermoon/db'
import {
  assertKnownMigrations,
  createSchema,
  findHome,
  getNextLogFile,
  importDatabase,
  type LogPosition,
  recoverCluster,
} from '@papermoon/db/backup'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { nullIfMissing } from '../../storage/file-store.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { readReached } from './archive.ts'
import { BackupError, UnreadableError } from './backup-error.ts'
import { listUsedPictures, restorePictures } from './backup-pictures.ts'
import { readRoom } from './location.ts'
import { type Audited, comparePositions, findBackup, listBackups, type Manifest } from './manifest.ts'
import type { Vault } from './vault.ts'

/** Folder in which a restore works until it is complete. A server does not start if this folder exists. */
const UNFINISHED = 'restoring'
/** Matches a folder with a copy that is being audited. */
const ASIDE = /^aside-[0-9a-f]{8}$/
/** Names of files that an empty folder may contain. */
const IGNORED = new Set(['in-use-by', UNFINISHED, 'lost+found'])
const MEGABYTE = 1_048_576
/** Extra disk space in bytes that a restore needs for the log, an audit's temporary files, and the running market. */
const EXTRA_BYTES = 384 * MEGABYTE

export type Audit = (database: DatabaseClient) => Promise<Audited>

export interface RestorePlan {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>
  /** Id of the backup. Null to choose the best backup in the destination. */
  readonly id: string | null
  /** The time whose state to restore. Null to restore the latest possible time. */
  readonly at: Date | null
  /** Opens the picture store, with files in this data folder. */
  openObjects(dataDir: string): Promise<ObjectStore>
  audit: Audit
  say(line: string): void
}

/** Restores a backup into an empty data folder, or an export into the empty database of DATABASE_URL. Throws BackupError. */
export async function restoreBackup(vault: Vault, plan: RestorePlan): Promise<Audited> {
  const chosen = await chooseBackup(vault, plan)
  const { manifest, until } = chosen
  const { dataDir, databaseUrl } = plan.config
  const { pictures: folder } = manifest
  assertKnownMigrations(manifest.migrations)
  const done = `Restored all data up to ${until.at.toISOString()} into`
  if (manifest.base === null && databaseUrl !== null) {
    const database = await restoreInto(vault, manifest, databaseUrl)
    const audited = await finish(vault, database, { ...plan, dataDir, folder }).finally(() => database.close())
    plan.say(`${done} the database of DATABASE_URL.`)
    return audited
  }
  await assertEmpty(dataDir)
  const lock = acquireDataDirLock(dataDir)
  try {
    const unfinished = join(dataDir, UNFINISHED)
    await removeDataFolder(unfinished)
    await assertRoom(unfinished, manifest.plainBytes)
    plan.say(`Restoring the backup ${manifest.id} to ${until.at.toISOString()} …`)
    const audited = await withRestored(vault, chosen, unfinished, (database) =>
      finish(vault, database, { ...plan, dataDir: unfinished, folder }),
    )
    await moveIntoPlace(unfinished, dataDir)
    plan.say(`${done} ${dataDir}.`)
    return audited
  } finally {
    lock.release()
  }
}

/** Restores a backup into a folder below `dataDir` while the market runs. Audits the restored copy, then removes it. */
export async function verifyAside(vault: Vault, manifest: Manifest, dataDir: string, audit: Audit): Promise<Audited> {
  const folder = join(dataDir, `aside-${randomBytes(4).toString('hex')}`)
  const lock = acquireDataDirLock(folder)
  try {
    const { position } = manifest
    return await withRestored(vault, { manifest, until: position, lsn: position.lsn }, folder, async (database) => {
      // Read all pages, because PostgreSQL then checks each page's checksum.
      await sql`create extension if not exists pg_prewarm`.execute(database.db)
      await sql`select sum(pg_prewarm(oid)) from pg_class where relkind in ('r', 'i', 't', 'm', 'S')`.execute(
        database.db,
      )
      return await audit(database)
    })
  } finally {
    await removeDataFolder(folder)
    lock.release()
  }
}

/** Removes copies that killed processes left behind, except copies that are in use. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  for (const name of (await readdir(dataDir)).filter((it) => ASIDE.test(it))) {
    try {
      const lock = acquireDataDirLock(join(dataDir, name))
      await removeDataFolder(join(dataDir, name)).finally(() => lock.release())
    } catch (error) {
      if (!(error instanceof DataDirInUseError)) throw error
    }
  }
}

/** Returns how many more megabytes a copy of the database with `bytes` needs; 0 if the disk has enough space. */
export async function countLackingMb(dataDir: string, bytes: number): Promise<number> {
  const room = await readRoom((await findElsewhere(dataDir)) ?? dataDir)
  return Math.max(0, Math.ceil((bytes + EXTRA_BYTES - room) / MEGABYTE))
}

async function assertRoom(folder: string, bytes: number): Promise<void> {
  await makeDataFolder(folder)
  findHome(folder)
  const lacking = await countLackingMb(folder, bytes)
  if (lacking === 0) return
  await removeDataFolder(folder)
  throw new BackupError(`The disk of ${folder} has ${lacking} MB too little free space for this backup.`)
}

/** Creates a data folder in which PostgreSQL's user can reach its files. */
async function makeDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
}

/** Removes a data folder. Also removes the home folder of its PostgreSQL if that folder is elsewhere. */
async function removeDataFolder(folder: string): Promise<void> {
  const home = await findElsewhere(folder)
  if (home !== null) await rm(home, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

/** Finds the home folder of a data folder's PostgreSQL, if it is outside the data folder. */
async function findElsewhere(folder: string): Promise<string | null> {
  const home = await readFile(join(folder, 'postgres-is-at'), 'utf8').catch(nullIfMissing)
  return home === null ? null : home.trim()
}

interface Chosen {
  readonly manifest: Manifest
  /** The log position up to which every commit is restored. */
  readonly until: LogPosition
  /** The log position at which PostgreSQL stops. Null if PostgreSQL stops at the requested time. */
  readonly lsn: number | null
}

/**
 * Chooses the backup from which the latest time can be restored with the least log to replay. If `at` is given, chooses
 * the latest backup that can restore that time.
 */
export async function chooseBackup(
  vault: Vault,
  { id, at, say }: Pick<RestorePlan, 'id' | 'at' | 'say'>,
): Promise<Chosen> {
  const backups = id === null ? await findAll(vault, say) : [await findBackup(vault, id)].filter((it) => it !== null)
  const found: Chosen[] = []
  for (const manifest of backups) {
    const { position, base } = manifest
    const log = base?.archive ? await readReached(vault, base.archive).catch(sayUnreadable(say)) : null
    const until = log !== null && comparePositions(log, position) > 0 ? log : position
    found.push({ manifest, until, lsn: until.lsn })
  }
  const [first] = found
  if (first === undefined)
    throw new BackupError(`There is no complete backup ${id === null ? '' : `${id} `}in ${vault.location.label}.`)
  if (at === null) return found.reduce((best, it) => (comparePositions(it.until, best.until) > 0 ? it : best))
  const earlier = found.filter(({ manifest }) => manifest.position.at <= at)
  const holder = earlier.find(({ until }) => at <= until.at)
  if (holder !== undefined) return { ...holder, until: { ...holder.until, at }, lsn: null }
  const oldest = new Date(Math.min(...found.map(({ manifest }) => manifest.position.at.getTime())))
  const last = new Date(Math.max(...earlier.map(({ until }) => until.at.getTime())))
  throw new BackupError(
    earlier.length === 0
      ? `${at.toISOString()} is before the oldest backup, which holds ${oldest.toISOString()}.`
      : `${at.toISOString()} is later than what the backups hold: the last moment before it is ${last.toISOString()}.`,
  )
}

function sayUnreadable(say: RestorePlan['say']) {
  return (error: unknown): null => {
    if (!(error instanceof UnreadableError)) throw error
    say(error.message)
    return null
  }
}

/** Finds all readable backups. Throws if all backups are unreadable. */
async function findAll(vault: Vault, say: RestorePlan['say']): Promise<readonly Manifest[]> {
  const { backups, unreadable } = await listBackups(vault)
  if (backups.length === 0 && unreadable[0] !== undefined) throw unreadable[0]
  for (const { message } of unreadable) say(message)
  return backups
}

/** Restores a backup's database into an empty folder, migrates it, and stops it after `work`. */
async function withRestored<T>(
  vault: Vault,
  chosen: Chosen,
  dataDir: string,
  work: (database: DatabaseClient) => Promise<T>,
): Promise<T> {
  await makeDataFolder(dataDir)
  const { manifest } = chosen
  const { base } = manifest
  const postgres = base === null ? await startEmbedded({ dataDir }) : await recover(vault, { ...chosen, base }, dataDir)
  try {
    const database = await (base === null
      ? fillDatabase(vault, manifest, postgres.address)
      : openUpToDate(postgres.address))
    return await work(database).finally(() => database.close())
  } finally {
    await postgres.stop()
  }
}

type ChosenBase = Chosen & { readonly base: NonNullable<Manifest['base']> }

async function recover(vault: Vault, { manifest, base, until, lsn }: ChosenBase, dataDir: string) {
  const { id, files, position } = manifest
  let missing = getNextLogFile(base.lastLog)
  const readLog = async function* () {
    const own = Object.entries(files).filter(([file]) => file.startsWith('wal/'))
    for (const [file, sha256s] of own) {
      for await (const bytes of vault.readParts(`${id}/${file}`, sha256s))
        yield { name: file.slice('wal/'.length), bytes }
    }
    if (lsn === position.lsn) return
    for (; ; missing = getNextLogFile(missing)) {
      const bytes = await vault.find(`wal/${base.archive}/${missing}`)
      if (bytes === null) return
      yield { name: missing, bytes }
    }
  }
  try {
    return await recoverCluster(dataDir, {
      tar: vault.readParts(`${id}/base.tar`, files['base.tar'] ?? []),
      ...base,
      until: lsn === null ? { at: until.at } : { lsn },
      log: readLog(),
    })
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    const isGap = /recovery ended before configured recovery target was reached/.test(error.message)
    const message = isGap ? `The log file ${missing} is missing. Restore to an earlier time with --at.` : error.message
    throw new BackupError(message, { cause: error })
  }
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

/** Creates the schema and the rows of an export in an empty database, and migrates it. */
async function fillDatabase(vault: Vault, manifest: Manifest, address: DatabaseAddress): Promise<DatabaseClient> {
  const { id, migrations, tables, sequences, files } = manifest
  const schema = connect(address, { poolMax: 1, applicationName: 'papermoon-restore' })
  await createSchema(schema.db, migrations).finally(() => schema.close())
  await importDatabase(address, {
    tables,
    sequences,
    read: ({ name }) => vault.readParts(`${id}/${name}.copy`, files[`${name}.copy`] ?? []),
  })
  return await openUpToDate(address)
}

async function restoreInto(vault: Vault, manifest: Manifest, url: string): Promise<DatabaseClient> {
  const target = connect({ connectionString: url }, { poolMax: 1, applicationName: 'papermoon-restore' })
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = any(current_schemas(false)) limit 1`
    .execute(target.db)
    .finally(() => target.close())
  if (rows.length === 0) return await fillDatabase(vault, manifest, { connectionString: url })
  throw new BackupError('The database of DATABASE_URL is not empty; create another one to restore into.')
}

/** Restores the pictures and audits the database. */
async function finish(
  vault: Vault,
  database: DatabaseClient,
  { openObjects, dataDir, folder, say, audit }: RestorePlan & { readonly dataDir: string; readonly folder: string },
): Promise<Audited> {
  const used = await listUsedPictures(database.db)
  const missing = await restorePictures(vault, await openObjects(dataDir), { folder, used })
  const lacks = missing === 0 ? '' : `. The backup lacks ${missing} more`
  if (used.size > 0) say(`Restored pictures: ${used.size - missing}${lacks}.`)
  return await audit(database)
}

/** Moves the restored files up into the data folder, the database last. */
async function moveIntoPlace(unfinished: string, dataDir: string): Promise<void> {
  const names = (await readdir(unfinished)).filter((name) => name !== 'in-use-by')
  const isDatabase = (name: string) => name.startsWith('postgres')
  for (const name of [...names.filter((name) => !isDatabase(name)), ...names.filter(isDatabase)]) {
    await rename(join(unfinished, name), join(dataDir, name))
  }
  await rm(unfinished, { recursive: true, force: true })
}

async function assertEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(nullIfMissing)
  const found = names?.find((name) => !IGNORED.has(name))
  if (found === undefined) return
  throw new BackupError(
    `The data folder ${folder} is not empty (there is ${found}); set DATA_DIR to an empty or new folder.`,
  )
}
