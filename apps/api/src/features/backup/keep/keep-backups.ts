import { setTimeout as sleep } from 'node:timers/promises'
import {
  findSegmentStart,
  formatLsn,
  identifySystem,
  type Lsn,
  openReplication,
  parseLsn,
  startWalStream,
} from '@papermoon/db/backup'
import { readDatabaseTime } from '../../../database/time.ts'
import { BackupError } from '../backup-error.ts'
import { asOnlyBackup, asOnlyKeeper, BackupBusyError } from '../backup-lock.ts'
import { copyPictures, listKeptPictures } from '../backup-pictures.ts'
import { countBytes, listBackupIds, type Manifest, readBackup } from '../manifest.ts'
import type { Vault } from '../place/vault.ts'
import { readReached } from '../restore/choose-backup.ts'
import { readSegmentBytes, readWalEnd } from '../store.ts'
import { findObstacle } from '../take/choose-kind.ts'
import { type BackupPlan, type BackupSource, removeBackup, takeBackup } from '../take/take-backup.ts'
import { removeOldBackups } from './retention.ts'
import { prepareSlot, type Slot } from './slot.ts'
import { WalArchive } from './wal-archive.ts'

const HOUR_MS = 3_600_000
const TICK_MS = 60_000
/** Pause before a node that keeps nothing asks again whether another still does. */
const STANDBY_MS = 15_000
const FAILED_PAUSE_MS = 600_000
/** A commit's time is taken a moment before it is in the WAL. */
const CLOCK_MARGIN_MS = 1_000
const CATCH_UP_MAX_MS = 30_000
const CATCH_UP_LOOK_MS = 50
const PAGE_BYTES = 8_192n
const PAGE_HEADER_BYTES_MAX = 40n

/** A complete backup, for metrics. */
export interface KeptBackup {
  /** The moment that it holds. */
  readonly at: string
  /** Stored size, without pictures and WAL. */
  readonly bytes: number
  /** Differences that the audit of the restored copy found; null if it was not restored. */
  readonly differences: number | null
}

/** Events for the log and the metrics of the server. */
export type KeeperReport =
  /** Another node keeps the backups; this one takes over when that one ends. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'keeping'; readonly newest: KeptBackup | null }
  | { readonly kind: 'archiving'; readonly from: string }
  | { readonly kind: 'reached'; readonly at: string }
  | ({ readonly kind: 'taken'; readonly id: string; readonly seconds: number } & KeptBackup)
  | { readonly kind: 'removed'; readonly ids: readonly string[] }
  | { readonly kind: 'said'; readonly line: string }
  | { readonly kind: 'failed'; readonly why: string }

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

/** Archives the WAL and takes backups when they are due, on one node at a time. Never resolves; rejects when it cannot go on. */
export async function keepBackups(parts: KeeperParts): Promise<never> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await asOnlyKeeper(parts.source.database.pool, (lost) => keepInRole(parts, lost))
    } catch (error) {
      if (!(error instanceof BackupBusyError)) throw error
      if (isFirst) parts.report({ kind: 'waiting' })
      await sleep(parts.standbyMs ?? STANDBY_MS)
    }
  }
}

/** A keeper that has the role. */
interface Keeper extends KeeperParts {
  /** Aborted when the role ends: another node may have it then. */
  readonly role: AbortSignal
}

async function keepInRole(parts: KeeperParts, lost: Promise<never>): Promise<never> {
  const role = new AbortController()
  try {
    return await keepAlone({ ...parts, role: role.signal }, lost)
  } finally {
    role.abort(new BackupError('This node no longer keeps the backups.'))
  }
}

async function keepAlone(parts: Keeper, lost: Promise<never>): Promise<never> {
  await parts.vault.place.prepare()
  parts.report({ kind: 'keeping', newest: await findNewest(parts.vault) })
  const obstacle = await findObstacle(parts.source.database)
  if (obstacle !== null) return await Promise.race([lost, takeWhenDue(parts, null)])
  const replication = await openReplication(parts.source.database.address)
  try {
    const { systemId, timeline } = await identifySystem(replication)
    const slot = await prepareSlot(parts.source.database.db)
    const segmentBytes = await readSegmentBytes(parts.source.database.db)
    const from = findSegmentStart(slot.keptFrom, segmentBytes)
    const stream = startWalStream(replication, { slot: slot.name, from, timeline })
    const archive = new WalArchive(parts.vault, { timeline, segmentBytes, from, onStored: stream.confirm })
    const followed = await findFollowed(parts.vault, { systemId, timeline, slot, segmentBytes })
    if (followed !== null) await archive.follow(followed)
    parts.report({ kind: 'archiving', from: formatLsn(from) })
    const archiving = (async (): Promise<never> => {
      for await (const piece of stream.pieces) await archive.append(piece)
      throw new Error('the stream of WAL ended')
    })()
    return await Promise.race([
      lost,
      archiving,
      reachRegularly(parts, archive),
      takeWhenDue(parts, { archive, followed }),
    ])
  } finally {
    await replication.close().catch(() => {})
  }
}

async function findNewest(vault: Vault): Promise<KeptBackup | null> {
  const [id] = await listBackupIds(vault)
  return id === undefined ? null : toKept((await readBackup(vault, id)).manifest)
}

function toKept(manifest: Manifest): KeptBackup {
  const { at, verified } = manifest
  return { at: at.toISOString(), bytes: countBytes(manifest), differences: verified?.differences ?? null }
}

interface Continuation {
  readonly systemId: string
  readonly timeline: number
  readonly slot: Slot
  readonly segmentBytes: number
}

/** The newest backup whose archive the slot continues without a gap; null if a new backup has to be taken. */
async function findFollowed(
  vault: Vault,
  { systemId, timeline, slot, segmentBytes }: Continuation,
): Promise<string | null> {
  for (const id of await listBackupIds(vault)) {
    const { manifest } = await readBackup(vault, id)
    const isOurs = manifest.kind === 'physical' && manifest.systemId === systemId && manifest.timeline === timeline
    const reached = isOurs ? await readReached(vault, id) : null
    if (reached === null) continue
    return findSegmentStart(slot.keptFrom, segmentBytes) <= parseLsn(reached.lsn) ? id : null
  }
  return null
}

/** Each minute, the archive reaches the present. */
async function reachRegularly(parts: Keeper, archive: WalArchive): Promise<never> {
  const known = parts.followsPictures ? await listKeptPictures(parts.vault) : null
  for (;;) {
    await sleep(parts.tickMs ?? TICK_MS, undefined, { signal: parts.role })
    if (known !== null) await copyPictures(parts.vault, parts.source.objects, known)
    const at = await catchUp(parts, archive)
    if (at === null) continue
    await archive.reach(at)
    parts.report({ kind: 'reached', at: at.toISOString() })
  }
}

/** Waits until everything that is committed now was received; returns the moment, or null if that takes too long. */
async function catchUp({ source }: KeeperParts, archive: WalArchive): Promise<Date | null> {
  const now = await readWalEnd(source.database.db)
  if (now === null) return null
  for (const giveUpAt = Date.now() + CATCH_UP_MAX_MS; Date.now() < giveUpAt; await sleep(CATCH_UP_LOOK_MS)) {
    if (hasReached(archive.position, now.lsn)) return new Date(now.at.getTime() - CLOCK_MARGIN_MS)
  }
  return null
}

/**
 * At the start of a page the wanted position already counts the page's header, although no record of the page is flushed.
 */
function hasReached(position: Lsn, wanted: Lsn): boolean {
  return position >= wanted || (position % PAGE_BYTES === 0n && wanted - position <= PAGE_HEADER_BYTES_MAX)
}

interface Following {
  readonly archive: WalArchive
  followed: string | null
}

async function takeWhenDue(parts: Keeper, following: Following | null): Promise<never> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: parts.role })
  for (;;) {
    const waitMs = await countMsUntilDue(parts, following)
    // A timer of more than 24 days fires at once.
    if (waitMs > 0) await pause(Math.min(waitMs, HOUR_MS))
    else if (!(await tryToTake(parts, following))) await pause(FAILED_PAUSE_MS)
  }
}

/** WAL is useless without a backup that the archive follows: one is due at once if there is none. */
async function countMsUntilDue(
  { source, vault, everyHours }: KeeperParts,
  following: Following | null,
): Promise<number> {
  const [newest] = await listBackupIds(vault)
  if (newest === undefined || (following !== null && following.followed === null)) return 0
  const { manifest } = await readBackup(vault, newest)
  const now = await readDatabaseTime(source.database.db)
  return manifest.at.getTime() + everyHours * HOUR_MS - now.getTime()
}

/** Takes a backup, lets the archive follow it, and removes old ones. Returns false if that failed. */
async function tryToTake(parts: Keeper, following: Following | null): Promise<boolean> {
  const { source, vault, verify, report, keep, role } = parts
  const startedMs = performance.now()
  let begun: string | null = null
  let follows: Promise<void> = Promise.resolve()
  const plan: BackupPlan = {
    isLogical: false,
    verify,
    say: (line) => report({ kind: 'said', line }),
    onBegin: async (id) => {
      begun = id
      follows = following?.archive.follow(id) ?? follows
      await follows
    },
  }
  try {
    const { id, manifest } = await asOnlyBackup(source.database.pool, (lost) =>
      takeBackup(source, vault, { ...plan, signal: AbortSignal.any([lost, role]) }),
    )
    begun = null
    if (following !== null) await followOnly(parts, following, id)
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10
    report({ kind: 'taken', id, seconds, ...toKept(manifest) })
    const removed = await removeOldBackups(vault, keep)
    if (removed.length > 0) report({ kind: 'removed', ids: removed })
    return true
  } catch (error) {
    if (begun !== null) {
      await following?.archive.unfollow(begun)
      // WAL may have been stored after what the failed backup wrote was removed.
      await removeBackup(vault, begun).catch(() => {})
    }
    report({ kind: 'failed', why: error instanceof Error ? error.message : String(error) })
    return false
  }
}

/** The archive of the backup before reaches the end of this one, so that no moment between them is lost. */
async function followOnly(parts: KeeperParts, following: Following, id: string): Promise<void> {
  let at = await catchUp(parts, following.archive)
  while (at === null) at = await catchUp(parts, following.archive)
  await following.archive.reach(at)
  if (following.followed !== null) await following.archive.unfollow(following.followed)
  following.followed = id
}
