import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { BenchContext } from '../bench.ts'
import { ROOT } from '../paths.ts'
import { readCpuMs } from './cpu-time.ts'

/** A local server in a separate process. */
export interface ChildServer {
  readonly port: number
  /** Sends a message and waits for the server's reply. */
  tell(message: object): Promise<void>
  /** Adds the server's CPU time per request in µs to the result of a load. The CPU time is NaN if it is unknown. */
  measureCpu<T extends { readonly answered: number }>(load: Promise<T>): Promise<T & { readonly cpuUs: number }>
}

interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/**
 * Starts a program and runs it until the end of the context's part. The program must print ` at http://localhost:PORT`
 * when it is ready. The promise rejects if the program exits before that.
 */
export async function startChildServer(
  { cleanup }: Pick<BenchContext, 'cleanup'>,
  args: readonly string[],
  { env = {}, cwd = ROOT }: ChildOptions = {},
): Promise<ChildServer> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    // The server stops when this channel closes, so it never runs longer than the bench.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  cleanup.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const { stdout } = child
  if (stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: stdout })) {
    const port = / at http:\/\/localhost:(\d+)$/.exec(line)?.[1]
    if (port === undefined) continue
    stdout.resume()
    return {
      port: Number(port),
      tell: async (message) => {
        const told = once(child, 'message')
        child.send(message)
        await told
      },
      measureCpu: async (load) => {
        const beforeMs = readCpuMs(child.pid ?? 0)
        const result = await load
        return { ...result, cpuUs: ((readCpuMs(child.pid ?? 0) - beforeMs) * 1_000) / result.answered }
      },
    }
  }
  throw new Error(`${args.join(' ')} ended without serving; see its output above`)
}

/**
 * Starts the server with which the server benches compare Papermoon: one Fastify route that responds to GET and POST
 * `/` with the `BareAnswer` that it receives.
 */
export function startBareRoute(context: BenchContext): Promise<ChildServer> {
  return startChildServer(context, ['apps/bench/src/servers/bare-route.ts'])
}
