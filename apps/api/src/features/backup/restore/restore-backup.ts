import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { acquireDataDirLock, connect } from '@papermoon/db'
import { assertKnownMigrations, isEmptyDatabase } from '@papermoon/db/backup'
import type { Config } from '../../../config.ts'
import type { ObjectStore } from '../../../storage/object-store.ts'
import { BackupError } from '../backup-error.ts'
import { listUsedPictures, restorePictures } from '../backup-pictures.ts'
import type { LogicalManifest } from '../manifest.ts'
import type { Vault } from '../place/vault.ts'
import { type Chosen, chooseBackup } from './choose-backup.ts'
import { fillDatabase, type RestoredDatabase, restoreDatabase } from './restore-database.ts'
import { assertEmpty, countLackingMb } from './room.ts'
import { type Audit, removeDataFolder } from './verify-aside.ts'

/** Where a restore works until it is complete. A server does not start on a folder that contains it. */
const UNFINISHED = 'restoring'

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
export async function restoreBackup(vault: Vault, plan: RestorePlan): Promise<{ readonly differences: number }> {
  const chosen = await chooseBackup(vault, plan)
  const { manifest } = chosen.backup
  assertKnownMigrations(manifest.migrations)
  if (manifest.kind === 'logical' && plan.config.databaseUrl !== null) {
    return await restoreInto(vault, manifest, { ...plan, address: plan.config.databaseUrl })
  }
  const { dataDir } = plan.config
  await assertEmpty(dataDir)
  const lacking = await countLackingMb(dataDir, manifest.plainBytes)
  if (lacking > 0) throw new BackupError(`The disk of ${dataDir} has ${lacking} MB too little room for this backup.`)
  const lock = acquireDataDirLock(dataDir)
  try {
    return await restoreInFolder(vault, chosen, plan)
  } finally {
    lock.release()
  }
}

async function restoreInFolder(
  vault: Vault,
  chosen: Chosen,
  plan: RestorePlan,
): Promise<{ readonly differences: number }> {
  const { dataDir } = plan.config
  const unfinished = join(dataDir, UNFINISHED)
  await removeDataFolder(unfinished)
  await mkdir(unfinished, { recursive: true })
  await chmod(unfinished, 0o711)
  const { backup, wal, until } = chosen
  plan.say(`Restoring the backup ${backup.id}${until === null ? '' : ` to ${until.toISOString()}`} …`)
  const restored = await restoreDatabase(vault, backup.manifest, unfinished, { wal, until })
  const audited = await finish(vault, restored, { ...plan, dataDir: unfinished }).finally(() => restored.stop())
  const isOwnCluster = backup.manifest.kind === 'physical' && !backup.manifest.isEmbedded
  await moveIntoPlace(unfinished, dataDir, isOwnCluster)
  plan.say(`Restored what was committed up to ${chosen.reaches.toISOString()} into ${dataDir}.`)
  if (isOwnCluster) {
    plan.say(`Its PostgreSQL data folder is ${join(dataDir, 'cluster', 'data')}: start your PostgreSQL with it.`)
  }
  return audited
}

/** Restores the pictures and audits the database. */
async function finish(
  vault: Vault,
  { database }: Pick<RestoredDatabase, 'database'>,
  { openObjects, dataDir, say, audit }: RestorePlan & { readonly dataDir: string },
): Promise<{ readonly differences: number }> {
  const used = await listUsedPictures(database.db)
  const { restored, missing } = await restorePictures(vault, await openObjects(dataDir), used)
  if (used.length > 0) say(`Pictures: ${restored}${missing === 0 ? '' : `, and ${missing} that the backup lacks`}.`)
  return await audit(database)
}

/** Moves what was restored up, the database last. */
async function moveIntoPlace(unfinished: string, dataDir: string, isOwnCluster: boolean): Promise<void> {
  const names = (await readdir(unfinished)).filter((name) => name !== 'in-use-by')
  const isDatabase = (name: string) => name.startsWith('postgres')
  for (const name of [...names.filter((name) => !isDatabase(name)), ...names.filter(isDatabase)]) {
    const target = isOwnCluster && name === 'postgres' ? 'cluster' : name
    await rename(join(unfinished, name), join(dataDir, target))
  }
  if (existsSync(unfinished)) await removeDataFolder(unfinished)
}

async function restoreInto(
  vault: Vault,
  manifest: LogicalManifest,
  plan: RestorePlan & { readonly address: string },
): Promise<{ readonly differences: number }> {
  const address = { connectionString: plan.address }
  const target = connect(address, { poolMax: 1, applicationName: 'papermoon-restore' })
  const isEmpty = await isEmptyDatabase(target.db).finally(() => target.close())
  if (!isEmpty) throw new BackupError('The database of DATABASE_URL is not empty; create another one to restore into.')
  const database = await fillDatabase(vault, manifest, address)
  try {
    const audited = await finish(vault, { database }, { ...plan, dataDir: plan.config.dataDir })
    plan.say(`Restored what was committed up to ${manifest.at.toISOString()} into the database of DATABASE_URL.`)
    return audited
  } finally {
    await database.close()
  }
}
