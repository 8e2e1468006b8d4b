import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '@papermoon/db/backup'
import { sql } from 'kysely'
import { readDatabaseTime } from '../../database/time.ts'
import { archiveLog } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { BackupBusyError, holdLock } from './backup-lock.ts'
import { copyPictures, listKeptPictures } from './backup-pictures.ts'
import { type Backup, findNewestBackup, listBackups, removeBackup } from './manifest.ts'
import { type BackupPlan, type BackupSource, countLackingRoom, takeBackup } from './take-backup.ts'
import type { Vault } from './vault.ts'

const HOUR_MS = 3_600_000
const TICK_MS = 60_000
/** Pause before a node that keeps nothing asks again whether another still does. */
const STANDBY_MS = 15_000
const FAILED_PAUSE_MS = 600_000

/** Metrics `papermoon_backup_…`. */
export type BackupGauge =
  | 'is_keeping'
  | 'taken_timestamp_seconds'
  | 'reached_timestamp_seconds'
  | 'seconds'
  | 'bytes'
  | 'differences'

/** For the log and the metrics of the server. */
export interface KeeperReport {
  readonly level?: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly gauges?: Readonly<Partial<Record<BackupGauge, number>>>
  readonly hasFailed?: boolean
}

export interface KeeperParts {
  readonly source: BackupSource
  readonly vault: Vault
  readonly everyHours: number
  /** How many verified backups stay. */
  readonly keep: number
  /** Whether the pictures' store is asked for new ones each minute; else with each backup. */
  readonly followsPictures: boolean
  readonly verify: BackupPlan['verify']
  report(report: KeeperReport): void
  /** For tests. */
  readonly tickMs?: number
  readonly standbyMs?: number
}

/** Archives the log and takes backups when they are due, on one node at a time. Never resolves; rejects when it cannot go on. */
export async function keepBackups(parts: KeeperParts): Promise<never> {
  await dropFormerSlot(parts.source)
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await holdLock(parts.source.database.pool, 'backupKeeping', (lost) => keepInRole(parts, lost))
    } catch (error) {
      if (!(error instanceof BackupBusyError)) throw error
      if (isFirst) parts.report({ level: 'info', message: 'another node keeps the backups' })
      await sleep(parts.standbyMs ?? STANDBY_MS)
    }
  }
}

/** A keeper that has the role. */
interface Keeper extends KeeperParts {
  /** Aborted when the role ends: another node may have it then. */
  readonly role: AbortSignal
}

async function keepInRole(parts: KeeperParts, lost: AbortSignal): Promise<never> {
  const ending = new AbortController()
  const keeper = { ...parts, role: AbortSignal.any([lost, ending.signal]) }
  try {
    await parts.vault.place.prepare()
    // Before the first backup, so that the log follows it.
    if (parts.source.isEmbedded) openSpool(parts.source.dataDir)
    parts.report({
      message: 'keeping',
      gauges: { is_keeping: 1, ...describeNewest(await findNewestBackup(parts.vault)) },
    })
    return await Promise.race([archiveRegularly(keeper), takeWhenDue(keeper)])
  } catch (error) {
    throw lost.aborted ? lost.reason : error
  } finally {
    ending.abort(new BackupError('This node no longer keeps the backups.'))
  }
}

function describeNewest(backup: Backup | null): NonNullable<KeeperReport['gauges']> {
  if (backup === null) return { taken_timestamp_seconds: 0 }
  const { at, bytes, verified } = backup.manifest
  return { taken_timestamp_seconds: at.getTime() / 1_000, bytes, differences: verified?.differences ?? Number.NaN }
}

/** Each minute, the archive reaches the present. */
async function archiveRegularly({ source, vault, followsPictures, report, role, tickMs }: Keeper): Promise<never> {
  const { database, dataDir, isEmbedded, objects } = source
  const known = followsPictures ? await listKeptPictures(vault) : null
  for (;;) {
    if (known !== null) await copyPictures(vault, objects, known)
    const reached = isEmbedded ? await archiveLog({ vault, db: database.db, dataDir }) : null
    if (reached !== null) {
      report({ message: 'reached', gauges: { reached_timestamp_seconds: reached.getTime() / 1_000 } })
    }
    await sleep(tickMs ?? TICK_MS, undefined, { signal: role })
  }
}

async function takeWhenDue(keeper: Keeper): Promise<never> {
  for (;;) {
    const isDue = await isBackupDue(keeper)
    const pauseMs = isDue && !(await tryToTake(keeper)) ? FAILED_PAUSE_MS : (keeper.tickMs ?? TICK_MS)
    await sleep(pauseMs, undefined, { signal: keeper.role })
  }
}

/** The log is useless without a backup that it follows: one is due at once if there is none. */
async function isBackupDue({ source, vault, everyHours }: Keeper): Promise<boolean> {
  const newest = await findNewestBackup(vault)
  if (newest === null) return true
  const now = await readDatabaseTime(source.database.db)
  if (now.getTime() - newest.manifest.at.getTime() >= everyHours * HOUR_MS) return true
  if (!source.isEmbedded || (await countLackingRoom(source)) > 0) return false
  const archive = openSpool(source.dataDir).id
  for await (const { manifest } of listBackups(vault)) if (manifest.base?.archive === archive) return false
  return true
}

/** Takes a backup and removes old ones. Returns false if that failed. */
async function tryToTake({ source, vault, verify, report, keep, role }: Keeper): Promise<boolean> {
  const startedMs = performance.now()
  const say = (line: string) => report({ level: 'warn', message: line })
  try {
    await holdLock(source.database.pool, 'backupTaking', async (lost) => {
      const signal = AbortSignal.any([lost, role])
      const backup = await takeBackup(source, vault, { isLogical: false, verify, say, signal })
      const seconds = Math.round((performance.now() - startedMs) / 100) / 10
      const { verified } = backup.manifest
      report({
        ...describeTaken(verified?.differences ?? null),
        fields: { id: backup.id, seconds, differences: verified?.differences },
        gauges: { seconds, ...describeNewest(backup) },
      })
      const ids = await removeOldBackups(vault, keep)
      if (ids.length > 0) report({ level: 'info', message: 'old backups were removed', fields: { ids } })
    })
    return true
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    report({ level: 'error', message: 'a backup could not be taken', fields: { why }, hasFailed: true })
    return false
  }
}

function describeTaken(differences: number | null): Pick<KeeperReport, 'level' | 'message'> {
  if (differences === null) return { level: 'warn', message: 'a backup was taken, but not restored aside' }
  return differences === 0
    ? { level: 'info', message: 'a backup was taken, restored aside and audited' }
    : { level: 'error', message: 'the audit of a restored backup found differences' }
}

/**
 * Removes all but the newest `keep` backups that were restored and audited; one that was not audited goes with the older ones.
 * Then removes the log and the pictures that no kept backup needs. Returns the ids of what was removed.
 */
export async function removeOldBackups(vault: Vault, keep: number): Promise<string[]> {
  const backups: Backup[] = []
  for await (const backup of listBackups(vault)) backups.push(backup)
  const oldest = backups.filter(({ manifest }) => manifest.verified !== null).at(keep - 1)
  const removed = backups.filter(({ id }) => oldest !== undefined && id < oldest.id).map(({ id }) => id)
  if (removed.length === 0) return []
  for (const id of removed) await removeBackup(vault, id)
  const kept = backups.filter(({ id }) => !removed.includes(id)).map(({ manifest }) => manifest)
  for (const archive of await vault.place.list('wal')) {
    const starts = kept.flatMap(({ base }) => (base?.archive === archive ? [base.firstLog] : []))
    const first = starts.sort()[0]
    if (first === undefined) await vault.place.remove(`wal/${archive}`)
    else
      for (const name of await vault.list(`wal/${archive}`))
        if (name < first) await vault.remove(`wal/${archive}/${name}`)
  }
  const isUnused = (picture: string) => kept.every(({ unusedPictures }) => unusedPictures.includes(picture))
  for (const picture of kept[0]?.unusedPictures.filter(isUnused) ?? []) await vault.remove(picture)
  return removed
}

/** Builds that archived by replication left a slot, for which PostgreSQL would keep its log for ever. */
async function dropFormerSlot({ database: { db } }: BackupSource): Promise<void> {
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots, pg_database
    where datname = current_database() and slot_name = 'papermoon_backup_' || pg_database.oid and not active`.execute(
    db,
  )
}
