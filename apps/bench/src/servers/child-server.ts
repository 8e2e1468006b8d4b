import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ROOT } from '../paths.ts'
import { readCpuMs } from './cpu-time.ts'

/** A server in a process of its own, listening on this machine. */
export interface ChildServer {
  readonly port: number
  readonly child: ChildProcess
  /** Of the process since its start, in ms of a core; NaN where the system does not tell. */
  cpuMs(): number
  /** Ends it by its own pid, as an operator does, and waits until it is gone. */
  stop(): Promise<void>
}

/** Starts a program that says ` at http://localhost:PORT` when it serves. Throws when it ends before. */
export async function startChildServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ChildServer> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    // The channel ends with us, however we end, and then the server stops by itself.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { stdout } = child
  if (stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: stdout })) {
    const port = / at http:\/\/localhost:(\d+)$/.exec(line)?.[1]
    if (port === undefined) continue
    stdout.resume()
    return { port: Number(port), child, cpuMs: () => readCpuMs(child.pid ?? 0), stop: () => endProcess(child) }
  }
  throw new Error(`${args.join(' ')} ended without serving; its reason stands above`)
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
