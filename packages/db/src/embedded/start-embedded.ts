import type { DatabaseAddress } from '../client.ts'
import { acquireDataDirLock, type DataDirLock } from '../data-dir-lock.ts'
import { prepareBinaries } from './binaries.ts'
import { findHome, type Home } from './home.ts'
import { initCluster, roleName } from './init-cluster.ts'
import { durableSettings, type Settings } from './settings.ts'
import { makeSocketFolder, socketPort } from './socket-folder.ts'
import { listArchiveSettings } from './spool.ts'
import { type SupervisionEvents, supervise } from './supervise.ts'

export interface EmbeddedOptions extends SupervisionEvents {
  /** The folder with the server's files, or with the pointer to them (see findHome). */
  readonly dataDir: string
  /** Overrides the durable settings: for tests and restores. */
  readonly settings?: Settings
  /** How long crash recovery, or that of a backup, may take. Default: three minutes. */
  readonly readyWithinMs?: number
}

/** A running embedded server. */
export interface EmbeddedPostgres {
  readonly address: Exclude<DatabaseAddress, { connectionString: string }>
  /** The server's pid; changes with a restart. */
  pid(): number
  /** Stops the server and waits until everything is written. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL of `dataDir`, creating it if needed, and keeps it running: it is restarted when it ends, a bounded number
 * of times (unbounded while its disk is full). It is reached by a unix socket with a random password, never over TCP.
 *
 * Throws DataDirInUseError if another process runs it, EmbeddedPostgresError if it cannot run.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const home = findHome(options.dataDir)
  // A copied DATA_DIR may point at the same home.
  const lock = acquireDataDirLock(home.folder)
  try {
    return await startIn(home, lock, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function startIn(home: Home, lock: DataDirLock, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = prepareBinaries(home.user, home.folder)
  const password = await initCluster(home, binaries)
  const socket = makeSocketFolder(home)
  const settings = { ...durableSettings, ...listArchiveSettings(home), ...options.settings }
  const { readyWithinMs } = options
  const plan = { home, binaries, socketFolder: socket.path, settings, ...(readyWithinMs && { readyWithinMs }) }
  const server = await supervise(plan, options).catch((error) => {
    socket.remove()
    throw error
  })
  const stop = async () => {
    await server.stop()
    socket.remove()
    lock.release()
  }
  let stopping: Promise<void> | undefined
  return {
    address: { host: socket.path, port: socketPort, user: roleName, password, database: 'postgres' },
    pid: server.pid,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
