import { chmodSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unpackTar } from 'modern-tar/fs'
import { findHome, type Home } from '../embedded/home.ts'
import { giveTo } from '../embedded/init-cluster.ts'
import type { Settings } from '../embedded/settings.ts'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/start-embedded.ts'

/** Replaying the log of a busy day takes hours. */
const RECOVERY_MAX_MS = 48 * 3_600_000
const LOG_FILE = /^[0-9A-F]{24}$/

export interface ClusterBackup {
  /** The tar of a base backup. */
  readonly tar: AsyncIterable<Buffer>
  /** The password of its role. */
  readonly password: string
  /** The last moment to restore, after which a commit must follow in the log; null for the end of the base backup. */
  readonly until: Date | null
  /** The archived files of the log from this name on. */
  readLog(first: string): AsyncIterable<{ readonly name: string; readonly bytes: Buffer }>
}

/**
 * Unpacks a base backup into the empty `dataDir`, lets PostgreSQL replay the log up to and including the last commit at or before
 * `until`, and starts it. Throws EmbeddedPostgresError.
 */
export async function recoverCluster(dataDir: string, backup: ClusterBackup): Promise<EmbeddedPostgres> {
  const home = findHome(dataDir)
  mkdirSync(home.data, { mode: 0o700 })
  await pipeline(Readable.from(backup.tar), unpackTar(home.data, { dmode: 0o700, fmode: 0o600 }))
  writeFileSync(home.passwordFile, `${backup.password}\n`, { mode: 0o600, flush: true })
  if (backup.until !== null) await addLog(home, backup)
  chmodSync(home.data, 0o700)
  giveAll(home, home.data)
  // The copy must not archive into the spool of the market that it is of.
  const settings = { archive_mode: 'off', ...(backup.until && listRecoverySettings(backup.until)) }
  return await startEmbedded({ dataDir, settings, readyWithinMs: RECOVERY_MAX_MS })
}

async function addLog({ data }: Home, { readLog }: ClusterBackup): Promise<void> {
  const folder = join(data, 'pg_wal')
  const [first = ''] = readdirSync(folder)
    .filter((name) => LOG_FILE.test(name))
    .sort()
  for await (const { name, bytes } of readLog(first)) {
    // A file that was archived early is zeros at its end, which need no room on the disk.
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1
    writeFileSync(join(folder, name), bytes.subarray(0, end), { mode: 0o600 })
    truncateSync(join(folder, name), bytes.length)
  }
  writeFileSync(join(data, 'recovery.signal'), '', { mode: 0o600 })
}

function giveAll(home: Home, path: string): void {
  giveTo(home.user, path)
  if (!home.user) return
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    giveTo(home.user, join(entry.parentPath, entry.name))
  }
}

function listRecoverySettings(until: Date): Settings {
  return {
    // All of the log is in its own folder.
    restore_command: 'false',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    // PostgreSQL reads this setting before it knows names of time zones, such as Z.
    recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00'),
    hot_standby: 'off',
  }
}
