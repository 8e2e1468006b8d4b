import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache } from '@papermoon/db/testing'

const API_ROOT = join(import.meta.dirname, '../../..')

/** The real server in a process of its own, without limits on who asks how often. */
export interface ApiProcess {
  readonly port: number
  readonly url: string
  /** Its exit code, or null while it runs. */
  exitCode(): number | null
  /** Sends the signal and waits for the end; nothing if it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts it with these settings; resolves when it serves. `PROOF_LOG_LEVEL=warn` shows what it logs. */
export async function startApi(settings: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const { PATH, HOME, PROOF_LOG_LEVEL = 'fatal' } = process.env
  const child = spawn(process.execPath, ['src/server.ts'], {
    cwd: API_ROOT,
    env: { PATH, HOME, ...compileCache, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: PROOF_LOG_LEVEL, ...settings },
    // The channel ends with us, however we end, and then the server stops by itself.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const port = await readPort(child)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    exitCode: () => child.exitCode,
    end: (signal) => endWith(child, signal),
  }
}

async function readPort({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: stdout })) {
    const address = /^Papermoon is at http:\/\/localhost:(\d+)$/.exec(line)
    if (address === null) continue
    stdout.resume()
    return Number(address[1])
  }
  throw new Error('the server ended without serving; its reason stands above')
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
