import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compileCache, createTestDatabase, findFreePorts, type TestDatabase } from '@papermoon/db/testing'

/** Max time for an admin command, in ms. This limit only prevents a test from hanging. */
const ADMIN_MAX_MS = 120_000
const API_ROOT = fileURLToPath(new URL('../..', import.meta.resolve('@papermoon/api/testing')))

/** The real server with the built web app. The server runs in a separate process and has its own database. */
export interface Server {
  /** URL of the server. The URL stays the same after a restart. */
  readonly url: string
  /** Stops the process with SIGTERM, but keeps the data. */
  stop(): Promise<void>
  /** Starts the process again with the same data and port. */
  start(): Promise<void>
  /** Starts a second process on the same data, and runs `work` with its URL. */
  withSibling(work: (url: string) => Promise<void>): Promise<void>
  /** Stops the server, changes its data with `work`, and starts the server again. */
  rewrite(work: (database: TestDatabase) => Promise<void>): Promise<void>
  /** Changes data while the server is running. */
  change(work: (db: TestDatabase['db']) => Promise<unknown>): Promise<void>
  /** Runs `npm run admin -- …` while the server is running. */
  admin(...words: readonly string[]): Promise<void>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

/** Starts a server. `more` contains settings in addition to the tests' defaults. */
export async function startServer(more: Readonly<Record<string, string>> = {}): Promise<Server> {
  const database = await createTestDatabase({ poolMax: 4 })
  const dataDir = mkdtempSync(join(tmpdir(), 'papermoon-e2e-'))
  const databaseUrl = toUrl(database.address)
  const forget = async () => {
    rmSync(dataDir, { recursive: true, force: true })
    await database.drop()
  }
  // Do not use port 0, because an outgoing connection could take a random port while the server is down.
  const port = await findFreePorts(1)
  const first = await spawnServer({ databaseUrl, dataDir, port, more }).catch(async (error: unknown) => {
    await forget()
    throw error
  })
  let { child } = first
  const start = async () => {
    child = (await spawnServer({ databaseUrl, dataDir, port, more })).child
  }
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => stopProcess(child),
    start,
    rewrite: async (work) => {
      await stopProcess(child)
      await work(database)
      await start()
    },
    withSibling: async (work) => {
      const sibling = await spawnServer({ databaseUrl, dataDir: join(dataDir, 'sibling'), port: 0 })
      try {
        await work(`http://127.0.0.1:${sibling.port}`)
      } finally {
        await stopProcess(sibling.child)
      }
    },
    change: async (work) => void (await work(database.db)),
    admin: (...words) => runAdmin(databaseUrl, words),
    remove: async () => {
      await stopProcess(child)
      await forget()
    },
  }
}

interface Plan {
  readonly databaseUrl: string
  readonly dataDir: string
  /** Port to listen on. 0 means any free port. */
  readonly port: number
  readonly more?: Readonly<Record<string, string>>
}

async function spawnServer({ databaseUrl, dataDir, port, more }: Plan): Promise<{ child: ChildProcess; port: number }> {
  const { PATH, HOME } = process.env
  const place = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(port) }
  const settings = {
    ...place,
    RATE_LIMIT: 'off',
    DEMO: 'off',
    SHOW_RESET_CODES: 'on',
    WEBHOOK_NETWORKS: '127.0.0.1',
    COMMUNITY_URL: 'https://x.com/papermoon',
    ...more,
  }
  const child = spawn(process.execPath, ['src/server.ts'], {
    cwd: API_ROOT,
    env: { PATH, HOME, ...compileCache, LOG_LEVEL: 'error', ...settings },
    // The server stops when this channel closes, which happens even if the test process is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Papermoon is at http:\/\/localhost:(\d+)$/.exec(line)
    if (address === null) continue
    child.stdout.resume()
    return { child, port: Number(address[1]) }
  }
  throw new Error('the server ended without serving; see its output above')
}

async function runAdmin(databaseUrl: string, words: readonly string[]): Promise<void> {
  const { PATH, HOME } = process.env
  await promisify(execFile)(process.execPath, ['src/papermoon.ts', 'admin', ...words], {
    cwd: API_ROOT,
    env: { PATH, HOME, ...compileCache, DATABASE_URL: databaseUrl },
    timeout: ADMIN_MAX_MS,
  })
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Formats a database address as a DATABASE_URL. The folder of a Unix socket becomes the parameter `host`. */
function toUrl(address: TestDatabase['address']): string {
  if ('connectionString' in address) return address.connectionString
  const { host, port, user, password, database } = address
  return `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
