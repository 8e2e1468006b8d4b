import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect, type DatabaseClient } from '@papermoon/db'

const API_ROOT = join(import.meta.dirname, '../..')

/** The real server in a process of its own, on data of its own, as `npm start` runs it; and the ways to end it badly. */
export interface ServerProcess {
  /** The same after each start. */
  readonly url: string
  /** Starts it again on the same data; resolves when it serves. */
  start(): Promise<void>
  /** `kill -9` of the API alone; PostgreSQL stays behind as an orphan. */
  killApi(): Promise<void>
  /** `kill -9` of PostgreSQL with all its backends. */
  killPostgres(): void
  /** A connection past the API, to see what is really stored. */
  openDatabase(): DatabaseClient
  /** Stops what still runs and deletes the data. */
  remove(): Promise<void>
}

export async function startServerProcess(): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'papermoon-proof-'))
  chmodSync(dataDir, 0o711) // As root, PostgreSQL's user must pass through.
  let { child, port } = await spawnServer(dataDir, 0)
  return {
    url: `http://127.0.0.1:${port}`,
    start: async () => {
      child = (await spawnServer(dataDir, port)).child
    },
    killApi: () => endWith(child, 'SIGKILL'),
    killPostgres: () => {
      const { pid } = readPostmaster(dataDir)
      for (const victim of [pid, ...childrenOf(pid)]) killIfThere(victim)
    },
    openDatabase: () => openDatabase(dataDir),
    remove: async () => {
      await endWith(child, 'SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function spawnServer(dataDir: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['src/server.ts'], {
    cwd: API_ROOT,
    env: {
      PATH,
      HOME,
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT: 'off',
      LOG_LEVEL: process.env.PROOF_LOG_LEVEL ?? 'fatal',
    },
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

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** The first lines of `postmaster.pid`: process, data folder, start, port, folder of the socket. */
function readPostmaster(dataDir: string): { pid: number; port: number; socketFolder: string } {
  const [pid, , , port, socketFolder = ''] = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split(
    '\n',
  )
  return { pid: Number(pid), port: Number(port), socketFolder }
}

function openDatabase(dataDir: string): DatabaseClient {
  const { port, socketFolder } = readPostmaster(dataDir)
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim()
  return connect({ host: socketFolder, port, user: 'papermoon', password, database: 'postgres' }, { poolMax: 1 })
}

/** Where the system does not tell, none: they end by themselves when they notice that their parent is gone. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
