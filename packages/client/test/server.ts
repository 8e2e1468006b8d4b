import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@papermoon/db/testing'

const SERVER = fileURLToPath(new URL('server.ts', import.meta.resolve('@papermoon/api/router')))

/** The real server, in a process of its own; on a database of its own unless told. */
export interface Server {
  /** The same after each start. */
  readonly url: string
  /** Ends the process; at once and without a word with SIGKILL. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Ends it and deletes everything. */
  remove(): Promise<void>
}

export async function startServer(): Promise<Server> {
  const database = await createTestDatabase({ poolMax: 1 })
  const server = await startServerOn(database.connectionString)
  return {
    ...server,
    remove: async () => {
      await server.remove()
      await database.drop()
    },
  }
}

/** One of several servers on one database. */
export async function startServerOn(databaseUrl: string): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'papermoon-client-'))
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const first = await spawnServer({ ...settings, PORT: '0' })
  let { child } = first
  return {
    url: `http://127.0.0.1:${first.port}`,
    stop: (signal) => endOf(child, signal),
    start: async () => {
      child = (await spawnServer({ ...settings, PORT: first.port })).child
    },
    remove: async () => {
      await endOf(child, 'SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function spawnServer(settings: Record<string, string>): Promise<{ child: ChildProcess; port: string }> {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [SERVER], {
    env: { PATH, HOME, LOG_LEVEL: 'error', RATE_LIMIT: 'off', ...settings },
    // The channel ends with us, however we end, and then the server stops by itself.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /^Papermoon is at http:\/\/localhost:(\d+)$/.exec(line) ?? []
    if (port === undefined) continue
    child.stdout.resume()
    return { child, port }
  }
  throw new Error('the server ended without serving; its reason stands above')
}

async function endOf(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
