import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ROOT } from '../paths.ts'
import { readCpuMs } from './cpu-time.ts'

/** A local server in a separate process. */
export interface ChildServer {
  readonly port: number
  readonly child: ChildProcess
  /** Sends a message and waits for the server's reply. */
  tell(message: object | string): Promise<void>
  /** Returns the process's CPU time since its start, in ms; NaN if unknown. */
  cpuMs(): number
  /** Stops the server with SIGTERM and waits for its end. */
  stop(): Promise<void>
}

/** Starts a program that prints ` at http://localhost:PORT` when it is ready. Rejects if the program exits before. */
export async function startChildServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): Promise<ChildServer> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    // The server stops itself when this channel closes, so it never outlives the bench.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { stdout } = child
  if (stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: stdout })) {
    const port = / at http:\/\/localhost:(\d+)$/.exec(line)?.[1]
    if (port === undefined) continue
    stdout.resume()
    return {
      port: Number(port),
      child,
      tell: async (message) => {
        const told = once(child, 'message')
        child.send(message)
        await told
      },
      cpuMs: () => readCpuMs(child.pid ?? 0),
      stop: () => endProcess(child),
    }
  }
  throw new Error(`${args.join(' ')} ended without serving; see its output above`)
}

/**
 * Starts the baseline of the server benches: one Fastify route that responds to GET and POST `/` with the `BareAnswers`
 * that it receives.
 */
export function startBareRoute(): Promise<ChildServer> {
  return startChildServer(['apps/bench/src/servers/bare-route.ts'])
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
