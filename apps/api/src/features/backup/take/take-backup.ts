import type { DatabaseClient } from '@papermoon/db'
import { readMigrations } from '@papermoon/db/backup'
import { readDatabaseTime } from '../../../database/time.ts'
import type { ObjectStore } from '../../../storage/object-store.ts'
import { BackupError } from '../backup-error.ts'
import { copyPictures, listKeptPictures, listUsedPictures } from '../backup-pictures.ts'
import {
  type Audited,
  createBackupId,
  FORMAT,
  isBackupId,
  type LogicalManifest,
  listBackupIds,
  type Manifest,
  type PhysicalManifest,
  type Taken,
  writeManifest,
} from '../manifest.ts'
import { toChunks, type Vault } from '../place/vault.ts'
import { NoRoomAsideError } from '../restore/room.ts'
import { takeBaseBackup } from './base-backup.ts'
import { findObstacle } from './choose-kind.ts'
import { takeExport } from './logical-export.ts'

export interface BackupSource {
  readonly database: DatabaseClient
  readonly objects: ObjectStore
  readonly isEmbedded: boolean
}

export interface BackupPlan {
  /** Rows instead of a copy of the data folder, whatever is possible. */
  readonly isLogical: boolean
  /** Restores the backup aside and audits it. */
  verify(manifest: Manifest): Promise<Audited>
  say(line: string): void
  /** Once aborted, the backup is not completed. */
  readonly signal?: AbortSignal
  /** Called with the id before the copy begins, for WAL that belongs to it. */
  onBegin?(id: string): Promise<void>
}

export interface TakenBackup {
  readonly id: string
  readonly manifest: Manifest
}

/**
 * Takes a backup of a running market: pictures, database, the pictures of meanwhile. Restores it aside and audits the copy, then
 * writes its manifest, without which it does not count. What a failed one wrote is removed. The caller makes sure that no other
 * process takes one. Throws BackupError.
 */
export async function takeBackup(source: BackupSource, vault: Vault, plan: BackupPlan): Promise<TakenBackup> {
  const { db } = source.database
  await vault.place.prepare()
  await removeUnfinished(vault)
  const startedAt = await readDatabaseTime(db)
  const id = createBackupId(startedAt)
  await plan.onBegin?.(id)
  try {
    const known = await listKeptPictures(vault)
    await copyPictures(vault, source.objects, known)
    const migrations = await readMigrations(db)
    const taken = await takeDatabase(source, vault, { ...plan, id })
    // A picture that the copy refers to was there before, or is younger than the hour that unused ones are kept.
    await copyPictures(vault, source.objects, known)
    const used = `${(await listUsedPictures(db)).join('\n')}\n`
    const { plainBytes: _, ...pictures } = await vault.write(`${id}/pictures.txt`, toChunks(used))
    const unverified: Manifest = { format: FORMAT, ...taken, startedAt, migrations, pictures, verified: null }
    const manifest: Manifest = { ...unverified, verified: await verifyIfRoom(unverified, plan) }
    plan.signal?.throwIfAborted()
    await writeManifest(vault, id, manifest)
    return { id, manifest }
  } catch (error) {
    await removeBackup(vault, id).catch(() => {})
    throw error
  }
}

/** Removes what a killed process left. No other process takes a backup meanwhile. */
async function removeUnfinished(vault: Vault): Promise<void> {
  const complete = new Set(await listBackupIds(vault))
  const begun = new Set((await vault.place.list('')).map(({ name }) => name.split('/')[0] ?? ''))
  for (const id of begun) if (isBackupId(id) && !complete.has(id)) await removeBackup(vault, id)
}

/** Removes the manifest first: what is left of a backup without it does not count. */
export async function removeBackup(vault: Vault, id: string): Promise<void> {
  const files = await vault.place.list(`${id}/`)
  const isManifest = ({ name }: { readonly name: string }) => name.startsWith(`${id}/backup.json`)
  for (const { name } of [...files.filter(isManifest), ...files.filter((file) => !isManifest(file))]) {
    await vault.place.remove(name)
  }
}

async function takeDatabase(
  { database, isEmbedded }: BackupSource,
  vault: Vault,
  { id, isLogical, say }: BackupPlan & { readonly id: string },
): Promise<Taken<PhysicalManifest> | Taken<LogicalManifest>> {
  const obstacle = isLogical ? null : await findObstacle(database)
  if (obstacle !== null) say(`This is a logical export, since ${obstacle}; --at can restore its moment only.`)
  if (isLogical || obstacle !== null) return await takeExport(vault, id, database.address)
  return await takeBaseBackup(vault, id, database, isEmbedded)
}

async function verifyIfRoom(manifest: Manifest, { verify, say }: BackupPlan): Promise<Audited | null> {
  try {
    return await verify(manifest)
  } catch (error) {
    if (!(error instanceof NoRoomAsideError)) throw toUnusable(error)
    say(`${error.message} The backup is kept, but it was not restored to see whether it is whole.`)
    return null
  }
}

function toUnusable(error: unknown): unknown {
  return error instanceof BackupError
    ? new BackupError(`The backup could not be restored, so it was removed: ${error.message}`, { cause: error })
    : error
}
