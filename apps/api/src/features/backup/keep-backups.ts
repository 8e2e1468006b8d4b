import { setTimeout as sleep } from 'node:timers/promises'
import { findSpool } from '@papermoon/db/backup'
import type pg from 'pg'
import { readDatabaseTime } from '../../database/probe-database.ts'
import { whileLocked } from '../../database/take-lock.ts'
import { archiveLog } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { copyPictures, listStoredPictures, toStoredName } from './backup-pictures.ts'
import { isPicturesFolder, listBackups, type Manifest, removeBackup } from './manifest.ts'
import { type BackupPlan, type BackupSource, countLackingRoom, takeBackup } from './take-backup.ts'
import type { Vault } from './vault.ts'

const HOUR_MS = 3_600_000

const TICK_MS = 60_000

/** How long a standby node waits before it checks again whether another node runs the schedule, in ms. */
const STANDBY_MS = 15_000

const FAILED_PAUSE_MS = 600_000

/** Why a backup or the backup schedule ends when the connection with its lock breaks. */
const LOCK_LOST = new BackupError('The connection that held the backup lock was lost.')

/** Names of the metrics that begin with `papermoon_backup_`. */
export type BackupGauge =
  | 'is_keeping'
  | 'taken_timestamp_seconds'
  | 'reached_timestamp_seconds'
  | 'seconds'
  | 'bytes'
  | 'differences'

/** A report to the server, for its log and metrics. */
export interface KeeperReport {
  readonly level?: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly gauges?: Readonly<Partial<Record<BackupGauge, number>>>
  readonly failed?: 'backup' | 'archive'
}

export interface KeeperParts {
  readonly source: BackupSource
  readonly vault: Vault
  readonly everyHours: number
  /** Number of backups to keep, counting only those whose restored copy matched exactly. */
  readonly keep: number
  /** Whether to look for new pictures every minute. If false, new pictures are copied only when a backup is taken. */
  readonly followsPictures: boolean
  readonly verify: BackupPlan['verify']
  report(report: KeeperReport): void
  /** Time between checks in ms; tests shorten it. */
  readonly tickMs?: number
  readonly standbyMs?: number
}

/**
 * Archives the log and takes backups when they are due, on one node at a time. The promise never resolves. The promise
 * rejects when the work cannot continue.
 */
export async function keepBackups(parts: KeeperParts): Promise<never> {
  const { pool } = parts.source.database
  for (let isFirst = true; ; isFirst = false) {
    const kept = await whileLocked(pool, 'backupKeeping', (lost) => keepInRole(parts, lost), LOCK_LOST)
    if (kept !== null) return kept.result
    if (isFirst) parts.report({ level: 'info', message: 'another node takes the backups' })
    await sleep(parts.standbyMs ?? STANDBY_MS)
  }
}

/** The state of the node that runs the backup schedule. */
interface Keeper extends KeeperParts {
  /** The signal is aborted when this node no longer holds the backup lock, because another node may then hold it. */
  readonly role: AbortSignal
}

async function keepInRole(parts: KeeperParts, lost: AbortSignal): Promise<never> {
  const ending = new AbortController()
  const keeper = { ...parts, role: AbortSignal.any([lost, ending.signal]) }
  try {
    parts.report({ message: 'keeping', gauges: { is_keeping: 1 } })
    const follow = createFollower(keeper)
    // Open the archive before the first backup, so that the archived log follows the backup.
    await follow()
    return await Promise.race([repeat(keeper, follow), takeWhenDue(keeper)])
  } catch (error) {
    throw lost.aborted ? lost.reason : error
  } finally {
    ending.abort(new BackupError('This node no longer takes the backups.'))
  }
}

/** Returns a function that archives the log up to the present position. */
function createFollower(keeper: Keeper): () => Promise<void> {
  const { source, vault, followsPictures, report } = keeper
  let known: Set<string> | null = null
  const followPictures = async () => {
    known ??= await listStoredPictures(vault)
    await copyPictures(vault, source.objects, known)
  }
  const followLog = async () => {
    const { at } = await archiveLog({ vault, ...source })
    report({ message: 'reached', gauges: { reached_timestamp_seconds: at.getTime() / 1_000 } })
  }
  return async () => {
    if (followsPictures) await attempt(keeper, 'archive', followPictures)
    if (source.isEmbedded) await attempt(keeper, 'archive', followLog)
  }
}

async function repeat({ tickMs, role }: Keeper, work: () => Promise<void>): Promise<never> {
  for (;;) {
    await sleep(tickMs ?? TICK_MS, undefined, { signal: role })
    await work()
  }
}

async function takeWhenDue(keeper: Keeper): Promise<never> {
  for (;;) {
    let isTaking = false
    const isDone = await attempt(keeper, 'backup', async () => {
      if (!(await isBackupDue(keeper))) return
      isTaking = true
      await take(keeper)
    })
    const pauseMs = isTaking && !isDone ? FAILED_PAUSE_MS : (keeper.tickMs ?? TICK_MS)
    await sleep(pauseMs, undefined, { signal: keeper.role })
  }
}

/** Reports a failure instead of throwing it. Returns whether the work succeeded. */
async function attempt(
  { report }: Keeper,
  failed: NonNullable<KeeperReport['failed']>,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = failed === 'backup' ? 'a backup could not be taken' : 'the archive could not be updated'
    report({ level: 'error', message, fields: { why }, failed })
    return false
  }
}

/**
 * Returns whether a backup is due. If there is no backup, one is due at once, because the archived log is useless
 * without a backup.
 */
async function isBackupDue({ source, vault, everyHours, report }: Keeper): Promise<boolean> {
  const { backups } = await listBackups(vault)
  report({ message: 'looked', gauges: describeNewest(backups[0]) })
  const [newest] = backups
  if (newest === undefined) return true
  const age = (await readDatabaseTime(source.database.db)).getTime() - newest.position.at.getTime()
  // The age of the last backup is negative if the clock was set back.
  if (age >= everyHours * HOUR_MS || age < 0) return true
  if (!source.isEmbedded || (await countLackingRoom(source)) > 0) return false
  const archive = findSpool(source.dataDir)?.id
  return archive !== undefined && backups.every(({ base }) => base?.archive !== archive)
}

function describeNewest(newest: Manifest | undefined): NonNullable<KeeperReport['gauges']> {
  if (newest === undefined) return { taken_timestamp_seconds: 0 }
  const { position, bytes, verified } = newest
  return {
    taken_timestamp_seconds: position.at.getTime() / 1_000,
    bytes,
    differences: verified?.differences ?? Number.NaN,
  }
}

/** Takes a backup and removes old backups. */
async function take({ source, vault, verify, report, keep, role }: Keeper): Promise<void> {
  const startedMs = performance.now()
  const say = (line: string) => report({ level: 'warn', message: line })
  await asOnlyBackup(source.database.pool, async (lost) => {
    const signal = AbortSignal.any([lost, role])
    const backup = await takeBackup(source, vault, { isLogical: false, verify, say, signal })
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10
    const { id, verified } = backup
    report({
      ...describeTaken(verified?.differences ?? null),
      fields: { id, seconds, differences: verified?.differences },
      gauges: { seconds, ...describeNewest(backup) },
    })
    const ids = await removeOldBackups(vault, keep)
    if (ids.length > 0) report({ level: 'info', message: 'old backups were removed', fields: { ids } })
    for (const { message } of (await listBackups(vault)).unreadable) say(message)
  })
}

function describeTaken(differences: number | null): Pick<KeeperReport, 'level' | 'message'> {
  if (differences === null) return { level: 'warn', message: 'a backup was taken, but not verified' }
  return differences === 0
    ? { level: 'info', message: 'a backup was taken, and the audit of its restored copy found no differences' }
    : { level: 'error', message: 'the audit of a restored backup found differences' }
}

/**
 * Removes old backups, but keeps the newest `keep` backups whose restored copy matched exactly. Backups whose copy did
 * not match are not counted, and are removed together with the older ones. Afterwards, removes the log files and
 * pictures that no remaining backup needs. Returns the ids of the removed backups.
 */
export async function removeOldBackups(vault: Vault, keep: number): Promise<string[]> {
  const { backups, unreadable } = await listBackups(vault)
  const oldest = backups.filter(({ verified }) => verified?.differences === 0).at(keep - 1)
  const kept = oldest === undefined ? backups : backups.slice(0, backups.indexOf(oldest) + 1)
  const removed = backups.slice(kept.length).map(({ id }) => id)
  if (removed.length === 0) return []
  for (const id of removed) await removeBackup(vault, id)
  for (const archive of await vault.location.list('wal')) {
    const copied = kept.flatMap(({ base }) => (base?.archive === archive ? [base.lastLog] : []))
    const [first] = copied.sort()
    if (first === undefined) await vault.location.remove(`wal/${archive}`)
    else
      for (const name of await vault.list(`wal/${archive}`))
        if (name <= first) await vault.remove(`wal/${archive}/${name}`)
  }
  await removeUnusedPictures(vault, kept, unreadable.length > 0)
  return removed
}

/**
 * Removes pictures that no remaining backup needs. Removes the picture folder of another key together with the last
 * backup that names the folder, unless an unreadable backup may name it.
 */
async function removeUnusedPictures(vault: Vault, kept: readonly Manifest[], isUnknown: boolean): Promise<void> {
  for (const folder of (await vault.location.list('')).filter(isPicturesFolder)) {
    const [newest, ...others] = kept.filter(({ pictures }) => pictures === folder)
    const isUnused = (picture: string) => others.every(({ unusedPictures }) => unusedPictures.includes(picture))
    const unused = newest?.unusedPictures.filter(isUnused) ?? []
    for (const picture of unused) await vault.remove(toStoredName(folder, picture))
    if (newest === undefined && !isUnknown && folder !== vault.picturesFolder) await vault.location.remove(folder)
  }
}

/**
 * Runs `work` while no other process takes a backup of this database. Throws BackupError if another process is taking a
 * backup.
 */
export async function asOnlyBackup<T>(pool: pg.Pool, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const done = await whileLocked(pool, 'backupTaking', work, LOCK_LOST)
  if (done !== null) return done.result
  throw new BackupError('Another process is backing up this database. Try again when it is done.')
}
