import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compileCache, createTestDatabase, type TestDatabase } from '@papermoon/db/testing'

const API_ROOT = fileURLToPath(new URL('..', import.meta.resolve('@papermoon/api/router')))

/** The real server with the built web app, in a process of its own on a database of its own. */
export interface Server {
  /** The same after each start. */
  readonly url: string
  /** Ends the process as an operator does; the data stays. */
  stop(): Promise<void>
  /** Starts it again, on the same data and port. */
  start(): Promise<void>
  /** Runs `work` with the address of another process on the same data, while this one may be away. */
  withSibling(work: (url: string) => Promise<void>): Promise<void>
  /** Starts it again on data that `work` has changed while it was away. */
  rewrite(work: (database: TestDatabase) => Promise<void>): Promise<void>
  /** Changes data beside the running server. */
  change(work: (db: TestDatabase['db']) => Promise<unknown>): Promise<void>
  /** What an operator does with `npm run admin -- …`, beside it. */
  admin(...words: readonly string[]): Promise<void>
  /** Ends it and deletes everything. */
  remove(): Promise<void>
}

/** `more`: settings beside the tests' own. */
export async function startServer(more: Readonly<Record<string, string>> = {}): Promise<Server> {
  const database = await createTestDatabase({ poolMax: 4 })
  const dataDir = mkdtempSync(join(tmpdir(), 'papermoon-e2e-'))
  const databaseUrl = urlOf(database.address)
  const forget = async () => {
    rmSync(dataDir, { recursive: true, force: true })
    await database.drop()
  }
  const first = await spawnServer({ databaseUrl, dataDir, port: 0, more }).catch(async (error: unknown) => {
    await forget()
    throw error
  })
  const { port } = first
  let { child } = first
  const start = async () => {
    child = (await spawnServer({ databaseUrl, dataDir, port, more })).child
  }
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => endOf(child),
    start,
    rewrite: async (work) => {
      await endOf(child)
      await work(database)
      await start()
    },
    withSibling: async (work) => {
      const sibling = await spawnServer({ databaseUrl, dataDir: join(dataDir, 'sibling'), port: 0 })
      await work(`http://127.0.0.1:${sibling.port}`)
      await endOf(sibling.child)
    },
    change: async (work) => void (await work(database.db)),
    admin: (...words) => runAdmin(databaseUrl, words),
    remove: async () => {
      await endOf(child)
      await forget()
    },
  }
}

interface Plan {
  readonly databaseUrl: string
  readonly dataDir: string
  /** 0 for a free one. */
  readonly port: number
  readonly more?: Readonly<Record<string, string>>
}

async function spawnServer({ databaseUrl, dataDir, port, more }: Plan): Promise<{ child: ChildProcess; port: number }> {
  const { PATH, HOME } = process.env
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(port), RATE_LIMIT: 'off', ...more }
  const child = spawn(process.execPath, ['src/server.ts'], {
    cwd: API_ROOT,
    env: { PATH, HOME, ...compileCache, LOG_LEVEL: 'error', ...settings },
    // The channel ends with us, however we end, and then the server stops by itself.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('a server without output')
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Papermoon is at http:\/\/localhost:(\d+)$/.exec(line)
    if (address === null) continue
    child.stdout.resume()
    return { child, port: Number(address[1]) }
  }
  throw new Error('the server ended without serving; its reason stands above')
}

async function runAdmin(databaseUrl: string, words: readonly string[]): Promise<void> {
  const { PATH, HOME } = process.env
  await promisify(execFile)(process.execPath, ['src/commands/admin.ts', ...words], {
    cwd: API_ROOT,
    env: { PATH, HOME, ...compileCache, DATABASE_URL: databaseUrl },
    timeout: 20_000,
  })
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** As DATABASE_URL takes it; the folder of a socket is a parameter of the address. */
function urlOf(address: TestDatabase['address']): string {
  if ('connectionString' in address) return address.connectionString
  const { host, port, user, password, database } = address
  return `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
