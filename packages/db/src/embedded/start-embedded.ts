import type { DatabaseAddress } from '../client.ts'
import { acquireDataDirLock, type DataDirLock } from '../data-dir-lock.ts'
import { prepareBinaries } from './binaries.ts'
import { findHome, type Home } from './home.ts'
import { initCluster, roleName } from './init-cluster.ts'
import { durableSettings, type Settings } from './settings.ts'
import { makeSocketFolder, socketPort } from './socket-folder.ts'
import { type SupervisionEvents, supervise } from './supervise.ts'

/** What to start, and who wants to know of its troubles. */
export interface EmbeddedOptions extends SupervisionEvents {
  /** The folder that everything of the server lies in (or, see findHome, that says where it lies). */
  readonly dataDir: string
  /** For tests only: settings laid over the durable ones. */
  readonly settings?: Settings
}

/** A running embedded server. */
export interface EmbeddedPostgres {
  readonly address: Exclude<DatabaseAddress, { connectionString: string }>
  /** The server's process, which changes with a restart. */
  pid(): number
  /** Stops it and waits until all is written. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL of `dataDir`, making it if there is none, and keeps it running: if it ends by itself it is
 * started again, a bounded number of times (without a bound while its disk is full). It is reached by a unix socket with
 * a generated password, never over TCP.
 *
 * Throws DataDirInUseError when another process runs it, EmbeddedPostgresError when it cannot run.
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
  const settings = { ...durableSettings, ...options.settings }
  const plan = { home, binaries, socketFolder: socket.path, settings }
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
