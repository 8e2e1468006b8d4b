import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache, createTestDatabase, findFreePorts } from '@papermoon/db/testing'

const SERVER = join(import.meta.dirname, '../../src/server.ts')

/** The real server in its own process, without limits on calls. */
export interface Server {
  /** Does not change over restarts. */
  readonly url: string
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Stops the process and deletes its data. */
  remove(): Promise<void>
}

/** Starts a server on a database of its own; `env` has further settings. */
export async function startServer(env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const database = await createTestDatabase({ poolMax: 1 })
  const server = await startServerWith(database.connectionString, env)
  return {
    ...server,
    remove: async () => {
      await server.remove()
      await database.drop()
    },
  }
}

export async function startServerWith(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'papermoon-client-'))
  // Not 0: while the server is down, such a port may be taken by anyone's outgoing connection.
  const port = String(await findFreePorts(1))
  const settings = { ...env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: port }
  let child = await spawnServer(settings)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: (signal) => endProcess(child, signal),
    start: async () => {
      child = await spawnServer(settings)
    },
    remove: async () => {
      await endProcess(child, 'SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function spawnServer(settings: Record<string, string>): Promise<ChildProcess> {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [SERVER], {
    env: { PATH, HOME, ...compileCache, LOG_LEVEL: 'error', RATE_LIMIT: 'off', ...settings },
    // The server stops itself when this channel closes, so it never outlives the test.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('Papermoon is at http://localhost:')) continue
    child.stdout.resume()
    return child
  }
  throw new Error('the server exited before it served; see its output above')
}

async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
