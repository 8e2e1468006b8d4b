import { chmodSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unpackTar } from 'modern-tar/fs'
import { findHome } from '../embedded/home.ts'
import { giveTo } from '../embedded/init-cluster.ts'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/start-embedded.ts'
import { EmbeddedPostgresError } from '../errors.ts'
import { formatLsn } from './log-position.ts'

/** Max time for a recovery, in ms. PostgreSQL needs hours to replay a busy day's log. */
const RECOVERY_MAX_MS = 48 * 3_600_000
/**
 * Files that a recovery does not take from a backup. Settings, states and signals must be our own, because they can
 * name commands that PostgreSQL runs.
 */
const NOT_TAKEN = /\.(conf|signal|pid|opts)$|^(backup_label|tablespace_map|pg_wal|pg_tblspc)/
const ACCESS = 'local all all scram-sha-256\nlocal replication all scram-sha-256\n'
const FILE = { mode: 0o600 }
const LOG_FILE = /^[0-9A-F]{24}$/

export interface ClusterBackup {
  /** The base backup as a tar archive, and its `backup_label`. */
  readonly tar: AsyncIterable<Buffer>
  readonly label: string
  /** The database role's password. */
  readonly password: string
  /**
   * The point at which the recovery stops: after a log position, or after the last commit before a time. The log must
   * contain a later commit.
   */
  readonly until: { readonly lsn: number } | { readonly at: Date }
  /** The files of the write-ahead log, without gaps. */
  readonly log: AsyncIterable<{ readonly name: string; readonly bytes: Buffer }>
}

/**
 * Unpacks a base backup into the empty `dataDir`, lets PostgreSQL replay the log up to the target, and starts
 * PostgreSQL. The backup cannot make PostgreSQL run any command at the start. Throws EmbeddedPostgresError.
 */
export async function recoverCluster(dataDir: string, backup: ClusterBackup): Promise<EmbeddedPostgres> {
  const home = findHome(dataDir)
  const { data } = home
  mkdirSync(data, { mode: 0o700 })
  const filter = ({ type }: { readonly type?: string }) => type === 'file' || type === 'directory'
  await pipeline(Readable.from(backup.tar), unpackTar(data, { dmode: 0o700, fmode: 0o600, filter }))
  for (const name of readdirSync(data)) if (NOT_TAKEN.test(name)) rmSync(join(data, name), { recursive: true })
  const files = { 'pg_hba.conf': ACCESS, backup_label: backup.label, 'recovery.signal': '' }
  const empty = { 'postgresql.conf': '', 'postgresql.auto.conf': '', 'pg_ident.conf': '' }
  for (const [name, content] of Object.entries({ ...files, ...empty })) writeFileSync(join(data, name), content, FILE)
  for (const folder of ['pg_wal', 'pg_tblspc']) mkdirSync(join(data, folder), { mode: 0o700 })
  writeFileSync(home.passwordFile, `${backup.password}\n`, { ...FILE, flush: true })
  for await (const { name, bytes } of backup.log) {
    if (!LOG_FILE.test(name)) throw new EmbeddedPostgresError(`The backup has ${name}, which is no file of a log.`)
    // A file that was archived before it was full ends with zeros. Write these zeros as a hole, which needs no disk
    // space.
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1
    writeFileSync(join(data, 'pg_wal', name), bytes.subarray(0, end), FILE)
    truncateSync(join(data, 'pg_wal', name), bytes.length)
  }
  chmodSync(data, 0o700)
  for (const entry of readdirSync(data, { withFileTypes: true, recursive: true })) {
    giveTo(home.user, join(entry.parentPath, entry.name))
  }
  giveTo(home.user, data)
  return await startEmbedded({ dataDir, settings: listSettings(backup.until), readyWithinMs: RECOVERY_MAX_MS })
}

function listSettings(until: ClusterBackup['until']) {
  return {
    // Do not archive into the original database's spool.
    archive_mode: 'off',
    // PostgreSQL need not fetch files, because the whole log is already in its folder.
    restore_command: 'false',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    hot_standby: 'off',
    ...('lsn' in until
      ? { recovery_target_lsn: formatLsn(until.lsn) }
      : // Write the time without Z, because PostgreSQL reads this setting before it knows time zones.
        { recovery_target_time: until.at.toISOString().replace('T', ' ').replace('Z', '+00') }),
  }
}
