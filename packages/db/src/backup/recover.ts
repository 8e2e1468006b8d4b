import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unpackTar } from 'modern-tar/fs'
import type { DatabaseAddress } from '../client.ts'
import { findHome, type Home } from '../embedded/home.ts'
import { giveTo } from '../embedded/init-cluster.ts'
import { type RunningServer, runServer, type ServerPlan } from '../embedded/run-server.ts'
import type { Settings } from '../embedded/settings.ts'
import { makeSocketFolder, socketPort } from '../embedded/socket-folder.ts'
import { EmbeddedPostgresError } from '../errors.ts'
import { findPrograms } from './programs.ts'
import { serveWal, type WalSource } from './serve-wal.ts'

/** Replaying the WAL of a busy day takes hours. */
const RECOVERY_MAX_MS = 48 * 3_600_000
const NEVER_REACHED = /recovery ended before configured recovery target was reached/

export interface ClusterBackup {
  /** PostgreSQL's major version. */
  readonly major: number
  /** Opens the tar of a base backup. */
  openTar(): Promise<Readable>
  /** WAL after the base backup; null to stop at its end. */
  readonly wal: WalSource | null
  /** The last moment to restore; null for all WAL there is. */
  readonly until: Date | null
  /** The role and database to connect to. */
  readonly role: string
  readonly database: string
}

/** A restored server, reachable through a private socket without a password. */
export interface RecoveredCluster {
  readonly address: DatabaseAddress
  /** The folder with PostgreSQL's data, and the password file of an embedded server. */
  readonly folder: string
  stop(): Promise<void>
}

/**
 * Unpacks a base backup below `dataDir` and replays its WAL, up to and including the last commit at or before `until`. The folder
 * becomes that of an embedded server once its password file is written. Throws EmbeddedPostgresError.
 */
export async function recoverCluster(dataDir: string, backup: ClusterBackup): Promise<RecoveredCluster> {
  const home = findHome(dataDir)
  const binaries = findPrograms(backup.major, home)
  if (binaries === null) {
    throw new EmbeddedPostgresError(
      `The backup is of PostgreSQL ${backup.major}, and no PostgreSQL ${backup.major} is installed on this machine.`,
    )
  }
  await unpack(home, await backup.openTar())
  const socket = makeSocketFolder(home)
  const wal = backup.wal && serveWal(join(home.folder, 'wal'), home.user, backup.wal)
  const plan: ServerPlan = {
    home,
    binaries,
    socketFolder: socket.path,
    readyWithinMs: RECOVERY_MAX_MS,
    settings: { ...writeConfiguration(home), ...listRecoverySettings(wal?.command ?? null, backup.until) },
  }
  try {
    const server = await runRecovery(plan, { missing: backup.wal?.missing ?? null, ...wal })
    return {
      address: { host: socket.path, port: socketPort, user: backup.role, password: '', database: backup.database },
      folder: home.folder,
      stop: async () => {
        await server.stop()
        socket.remove()
        removeTraces(home)
      },
    }
  } catch (error) {
    socket.remove()
    wal?.throwIfFailed()
    throw error
  } finally {
    await wal?.close()
  }
}

async function unpack(home: Home, tar: Readable): Promise<void> {
  mkdirSync(home.data, { mode: 0o700 })
  await pipeline(tar, unpackTar(home.data, { dmode: 0o700, fmode: 0o600 }))
  writeFileSync(join(home.data, 'recovery.signal'), '', { mode: 0o600, flush: true })
  giveAll(home, home.data)
  chmodSync(home.data, 0o700)
}

function giveAll(home: Home, folder: string): void {
  giveTo(home.user, folder)
  if (!home.user) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveAll(home, path)
    else giveTo(home.user, path)
  }
}

/** Settings of its own: the server that was backed up may keep its files elsewhere, wait for standbys, or ask for passwords. */
function writeConfiguration(home: Home): Settings {
  const folder = join(home.folder, 'recovery')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = { 'postgresql.conf': '', 'pg_hba.conf': 'local all all trust\n', 'pg_ident.conf': '' }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    giveTo(home.user, join(folder, name))
  }
  giveTo(home.user, folder)
  return {
    config_file: join(folder, 'postgresql.conf'),
    hba_file: join(folder, 'pg_hba.conf'),
    ident_file: join(folder, 'pg_ident.conf'),
  }
}

function listRecoverySettings(restoreCommand: string | null, until: Date | null): Settings {
  return {
    // Without WAL of an archive, the base backup's own is replayed to its end.
    restore_command: restoreCommand ?? 'false',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    ...(until && { recovery_target_time: formatTarget(until) }),
    hot_standby: 'off',
    archive_mode: 'off',
    synchronous_standby_names: '',
    primary_conninfo: '',
    primary_slot_name: '',
    shared_preload_libraries: '',
    max_wal_size: '1GB',
    jit: 'off',
    log_timezone: 'UTC',
  }
}

/** PostgreSQL reads this setting before it knows names of time zones, such as Z. */
function formatTarget(until: Date): string {
  return until.toISOString().replace('T', ' ').replace('Z', '+00')
}

interface RecoveryWal {
  readonly missing: string | null
  throwIfFailed?(): void
}

/** When no commit follows the target, PostgreSQL refuses at the end of the WAL: all of it is what was asked for. */
async function runRecovery(plan: ServerPlan, { missing, throwIfFailed }: RecoveryWal): Promise<RunningServer> {
  try {
    return await runServer(plan)
  } catch (error) {
    throwIfFailed?.()
    const hasTarget = 'recovery_target_time' in plan.settings
    if (!hasTarget || !(error instanceof Error) || !NEVER_REACHED.test(error.message)) throw error
    if (missing !== null) {
      throw new EmbeddedPostgresError(`The moment cannot be reached: the WAL file ${missing} is missing.`)
    }
    const { recovery_target_time: _, ...settings } = plan.settings
    return await runServer({ ...plan, settings })
  }
}

function removeTraces(home: Home): void {
  for (const name of ['recovery', 'wal', 'run']) rmSync(join(home.folder, name), { recursive: true, force: true })
  for (const name of ['backup_label.old', 'recovery.signal']) rmSync(join(home.data, name), { force: true })
  if (existsSync(home.logFile)) rmSync(home.logFile)
}
