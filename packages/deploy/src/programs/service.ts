import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalAll } from './process-tree.ts'
import type { SystemUser } from './programs.ts'

const LOG_TAIL_CHARACTERS = 2_000

export interface ServiceOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Has `log` and `pids`; the service runs in it. */
  readonly folder: string
  readonly user: SystemUser | null
  /** The network namespace it runs in; null for this process's. */
  readonly namespace: string | null
  readonly env?: Readonly<Record<string, string>>
}

/** A program that runs until it is ended. It logs to `log/NAME.log`. */
export interface Service {
  readonly name: string
  readonly pid: number
  isRunning(): boolean
  /** Sends SIGTERM, or another signal, and waits for its end; SIGKILL after `killAfterMs`. */
  end(signal?: NodeJS.Signals, killAfterMs?: number): Promise<void>
  /** The end of its log. */
  readLog(): string
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { name, folder } = options
  const logPath = join(folder, 'log', `${name}.log`)
  const log = openSync(logPath, 'a')
  const { command, args, ids } = toSpawn(options)
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin`, HOME: folder, LC_ALL: 'C', ...options.env },
    // A terminal's Ctrl-C must not reach it before the teardown does.
    detached: true,
    stdio: ['ignore', log, log],
    ...ids,
  })
  closeSync(log)
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const pidFile = join(folder, 'pids', name)
  writeFileSync(pidFile, String(pid))
  child.once('exit', () => rmSync(pidFile, { force: true }))
  return {
    name,
    pid,
    isRunning: () => isRunning(child),
    end: (signal = 'SIGTERM', killAfterMs = 10_000) => end(child, signal, killAfterMs),
    readLog: () => readFileSync(logPath, 'utf8').slice(-LOG_TAIL_CHARACTERS),
  }
}

/** Another namespace needs root, so there the user is changed after it was entered. */
function toSpawn({ command, args, user, namespace }: ServiceOptions) {
  if (namespace === null) return { command, args: [...args], ids: user ?? {} }
  const change = user === null ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  return { command: 'ip', args: ['netns', 'exec', namespace, ...change, command, ...args], ids: {} }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

async function end(child: ChildProcess, signal: NodeJS.Signals, killAfterMs: number): Promise<void> {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const waiting = new AbortController()
  const late = sleep(killAfterMs, undefined, { signal: waiting.signal }).then(
    () => signalAll([child.pid ?? 0], 'SIGKILL'),
    () => {},
  )
  await ended
  waiting.abort()
  await late
}
