import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startServer } from '../../support/server-process.ts'

/** The real server in a process of its own, without rate limits. */
export interface ApiProcess {
  readonly port: number
  readonly url: string
  /** Its exit code, or null while it runs. */
  exitCode(): number | null
  /** Sends a signal that does not end it, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void
  /** Sends the signal and waits for the end; does nothing if it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts it with these settings; resolves when it serves. `script`: the server of another build. `PROOF_LOG_LEVEL=warn` shows what
 * it logs.
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
