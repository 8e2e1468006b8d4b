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
  /** The folder that contains the server's files, or the pointer to them (see findHome). */
  readonly dataDir: string
  /** Settings that replace the durable settings, for tests and restores. */
  readonly settings?: Settings
  /** Max time for a recovery after a crash or from a backup, in ms (default: three minutes). */
  readonly readyWithinMs?: number
}

/** A running embedded server. */
export interface EmbeddedPostgres {
  readonly address: Exclude<DatabaseAddress, { connectionString: string }>
  /** Returns the pid of the server. The pid changes when the server restarts. */
  pid(): number
  /** Stops the server, and waits until all data is written. Later calls of `stop` do nothing. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL server of `dataDir` and keeps it running. Creates the data if it is missing. If the server
 * ends, restarts it a limited number of times, or without limit while its disk is full. Clients reach the server by a
 * Unix socket with a random password, never over TCP.
 * Throws DataDirInUseError if another process runs the server, and EmbeddedPostgresError if the server cannot run.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const home = findHome(options.dataDir)
  // Also lock the home, because a copied DATA_DIR may point to the same home.
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
