import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startServer } from '../../support/server-process.ts'

/** The real server in its own process, without rate limits. */
export interface ApiProcess {
  readonly port: number
  readonly url: string
  /** Returns the exit code, or null while the process runs. */
  exitCode(): number | null
  /** Sends a signal that does not end the process, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void
  /** Sends the signal and waits for the end. Does nothing if the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts the server with these settings, and resolves once it listens. `script` is the server of another build.
 * `PROOF_LOG_LEVEL=warn` shows the server's log.
 */
export async function startApi(settings: Readonly<Record<string, string>>, script?: string): Promise<ApiProcess> {
  const { HOME = '', PROOF_LOG_LEVEL = 'fatal' } = process.env
  const { child, ready } = startServer({ HOME, RATE_LIMIT: 'off', LOG_LEVEL: PROOF_LOG_LEVEL, ...settings }, [], script)
  child.stderr?.pipe(process.stderr, { end: false })
  const port = parsePort(await ready)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    exitCode: () => child.exitCode,
    signal: (signal) => void child.kill(signal),
    end: (signal) => endWith(child, signal),
  }
}

function parsePort(output: string): number {
  const address = /^Papermoon is at http:\/\/localhost:(\d+)$/m.exec(output)
  if (address === null) throw new Error(`the server says no address: ${output}`)
  return Number(address[1])
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
