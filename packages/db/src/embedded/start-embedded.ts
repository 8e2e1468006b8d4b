import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../client.ts'
import { acquireDataDirLock } from '../data-dir-lock.ts'
import { prepareBinaries } from './binaries.ts'
import { findHome } from './home.ts'
import { initCluster, roleName } from './init-cluster.ts'
import { boundLog } from './log-file.ts'
import { isServerOf } from './postmaster-pid.ts'
import { type RunningServer, runServer, type ServerPlan } from './run-server.ts'
import { durableSettings, type Settings } from './settings.ts'
import { makeSocketFolder, socketPort } from './socket-folder.ts'

const restartsMax = 5
const steadyAfterMs = 60_000
const logCheckEveryMs = 10_000

/** An unexpected end of the server. `willRestart` is false when it ended too often in a row. */
export interface UnexpectedEnd {
  readonly reason: string
  readonly willRestart: boolean
}

/** What to start, and who wants to know of its troubles. */
export interface EmbeddedOptions {
  /** The folder that everything of the server lies in (or, see findHome, that says where it lies). */
  readonly dataDir: string
  /** Told when PostgreSQL ends while nobody stopped it. Queries fail until it is back. */
  readonly onUnexpectedEnd?: (event: UnexpectedEnd) => void
  /** Told when it is back, at the same address. */
  readonly onRestarted?: () => void
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
 * started again, a bounded number of times. It is reached by a unix socket with a generated password, never over TCP.
 *
 * Throws DataDirInUseError when another process runs it, EmbeddedPostgresError when it cannot run.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const home = findHome(options.dataDir)
  const lock = acquireDataDirLock(home.folder)
  try {
    const binaries = prepareBinaries(home.user, home.folder)
    const password = await initCluster(home, binaries)
    const socket = makeSocketFolder(home)
    const settings = { ...durableSettings, ...options.settings }
    const supervised = await supervise({ home, binaries, socketFolder: socket.path, settings }, options)
    const stop = async () => {
      await supervised.stop()
      socket.remove()
      lock.release()
    }
    let stopping: Promise<void> | undefined
    return {
      address: { host: socket.path, port: socketPort, user: roleName, password, database: 'postgres' },
      pid: supervised.pid,
      stop: () => {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

interface Supervised {
  pid(): number
  stop(): Promise<void>
}

async function supervise(plan: ServerPlan, options: EmbeddedOptions): Promise<Supervised> {
  let server = await runServer(plan)
  let isStopping = false
  const logCheck = setInterval(() => boundLog(plan.home.logFile), logCheckEveryMs).unref()
  // Whoever ends the process without stop() still leaves no server behind.
  const stopAtExit = () => isServerOf(plan.home.data, server.pid) && process.kill(server.pid, 'SIGINT')
  process.once('exit', stopAtExit)

  const watch = async () => {
    let failures = 0
    while (!isStopping) {
      const startedAt = Date.now()
      const reason = await server.ended
      if (isStopping) return
      failures = Date.now() - startedAt > steadyAfterMs ? 1 : failures + 1
      const restarted = await restart(reason, failures)
      if (!restarted) return
      server = restarted
      options.onRestarted?.()
    }
  }
  const restart = async (reason: string, failures: number): Promise<RunningServer | undefined> => {
    const willRestart = failures <= restartsMax
    options.onUnexpectedEnd?.({ reason, willRestart })
    if (!willRestart) return undefined
    await sleep(100 * 2 ** failures)
    if (isStopping) return undefined
    try {
      return await runServer(plan)
    } catch (error) {
      return await restart(String(error), failures + 1)
    }
  }
  const watching = watch()
  return {
    pid: () => server.pid,
    stop: async () => {
      isStopping = true
      clearInterval(logCheck)
      process.off('exit', stopAtExit)
      await server.stop()
      await watching
      await server.stop() // A restart that was under way may have ended with a new server.
    },
  }
}
