import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from '../errors.ts'
import type { Binaries } from './binaries.ts'
import type { Home } from './home.ts'
import { getSize, readTail, truncateLog } from './log-file.ts'
import { findLeftoverSocketFolder, isServerRunning, readPostmasterFile, removeStalePidFile } from './postmaster-pid.ts'
import type { Settings } from './settings.ts'
import { socketPort } from './socket-folder.ts'

/**
 * Max time for a server to start, in ms. Recovery after a crash replays up to max_wal_size, which takes a while on a
 * slow disk.
 */
const readyWithinMs = 180_000
/**
 * Max time to wait for the child processes of a killed server, in ms. These processes notice the death of the server
 * late, and hold its shared memory until then.
 */
const leftoversWithinMs = 30_000
const pollMs = 10
const truncateLogEveryMs = 10_000

export interface ServerPlan {
  readonly home: Home
  readonly binaries: Binaries
  readonly socketFolder: string
  readonly settings: Settings
  /** Max time for a recovery after a crash or from a backup, in ms (default: three minutes). */
  readonly readyWithinMs?: number
}

/** A PostgreSQL server that accepts connections. */
export interface RunningServer {
  readonly pid: number
  /** Resolves when the server ends. The result is the exit code or signal as text. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on the data of the home, and waits until it accepts connections. First stops a server that a killed
 * process left running. Throws an EmbeddedPostgresError with the end of the log.
 */
export async function runServer(plan: ServerPlan): Promise<RunningServer> {
  const deadline = Date.now() + leftoversWithinMs
  for (;;) {
    await clearLeftovers(plan)
    try {
      return await tryToRun(plan)
    } catch (error) {
      const mayPass = error instanceof EmbeddedPostgresError && leftovers.test(error.message)
      if (!mayPass || Date.now() > deadline) throw error
      await sleep(250)
    }
  }
}

/** PostgreSQL's messages (with LANG=C) while parts of a killed server still run. */
const leftovers = /pre-existing shared memory block|lock file ".*" (already exists|is empty)|Is another postmaster/

async function clearLeftovers({ home: { data }, socketFolder }: ServerPlan): Promise<void> {
  const left = readPostmasterFile(data)
  if (!left) return
  const leftFolder = findLeftoverSocketFolder(data)
  await stopServer(data, left.pid)
  removeStalePidFile(data)
  // If our own server crashed, keep the socket folder, because the next one uses it again.
  if (leftFolder && leftFolder !== socketFolder) rmSync(leftFolder, { recursive: true, force: true })
}

async function tryToRun(plan: ServerPlan): Promise<RunningServer> {
  const { home } = plan
  truncateLog(home.logFile)
  const logStart = getSize(home.logFile)
  const child = spawnServer(plan)
  stopAtExit(child)
  const truncating = setInterval(() => truncateLog(home.logFile), truncateLogEveryMs).unref()
  child.once('close', () => clearInterval(truncating))
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  const outcome = await Promise.race([waitUntilReady(child, home.data, plan.readyWithinMs ?? readyWithinMs), ended])
  if (outcome !== 'ready') {
    if (child.pid && outcome === 'late') await stopServer(home.data, child.pid)
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL did not start (${outcome}): ${readTail(home.logFile, logStart)}`,
    )
  }
  const pid = child.pid as number
  return { pid, ended, stop: () => stopAndWait(home.data, pid, ended) }
}

function spawnServer({ home, binaries, socketFolder, settings }: ServerPlan): ChildProcess {
  const own = { listen_addresses: '', port: socketPort, unix_socket_directories: socketFolder }
  const args = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(home.logFile, 'a', 0o600)
  try {
    return spawn(binaries.postgres, ['-D', home.data, ...args], {
      ...home.user,
      cwd: home.data,
      env: { LANG: 'C', PGTZ: 'UTC' },
      stdio: ['ignore', log, log],
      // Start the server in its own process group, so that Ctrl-C on a terminal does not stop the server before its
      // clients.
      detached: true,
    })
  } finally {
    closeSync(log)
  }
}

/** Stops the server if this process exits without `stop()`, even during the start. */
function stopAtExit(child: ChildProcess): void {
  const stop = () => child.kill('SIGINT')
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
}

async function waitUntilReady(child: ChildProcess, data: string, withinMs: number): Promise<'ready' | 'late'> {
  const end = Date.now() + withinMs
  while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
    const file = readPostmasterFile(data)
    if (file?.isReady && file.pid === child.pid) return 'ready'
    await sleep(pollMs)
  }
  return 'late'
}

async function stopAndWait(data: string, pid: number, ended: Promise<string>): Promise<void> {
  if (isServerRunning(data, pid)) await stopServer(data, pid)
  await ended
}

/**
 * Signals that stop a server, and how long to wait after each. SIGINT, the fast shutdown, rolls back transactions and
 * writes all data. SIGQUIT, the immediate shutdown, has the effect of a crash.
 */
const steps = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** Stops server `pid` of the folder `data` with one signal after another, and waits for its end. */
export async function stopServer(data: string, pid: number): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isServerRunning(data, pid)) return
    process.kill(pid, signal)
    const end = Date.now() + waitMs
    while (Date.now() < end && isServerRunning(data, pid)) await sleep(10)
  }
}
