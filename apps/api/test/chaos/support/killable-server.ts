import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatabaseClient, findEmbeddedAddress } from '@papermoon/db'
import { findFreePorts } from '@papermoon/db/testing'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { startApi } from './api-process.ts'
import { signalTree } from './process-tree.ts'

/** The real server with its own data and embedded PostgreSQL, like `npm start`, and ways to kill them. */
export interface KillableServer {
  /** Stays the same across starts. */
  readonly url: string
  /** The API's exit code, or null while it runs. */
  exitCode(): number | null
  /** Starts the server again on the same data, and resolves once it listens. */
  start(): Promise<void>
  /** `kill -9` of the API alone; PostgreSQL is left as an orphan. */
  killApi(): Promise<void>
  /** `kill -9` of PostgreSQL with all its backends. */
  killPostgres(): void
  /** Opens a direct connection to the database. */
  openDatabase(): DatabaseClient
  /** Stops all remaining processes and deletes the data. */
  remove(): Promise<void>
}

/**
 * Starts the server. `dataDir` is an empty folder that the caller removes; by default, `remove` deletes a new folder.
 */
export async function startKillableServer(
  dataDir?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<KillableServer> {
  const folder = dataDir ?? makeDataFolder()
  // Choose a fixed port: with PORT=0, another process could take the port while the server is down.
  const all = { DATA_DIR: folder, PORT: String(await findFreePorts(1)), ...settings }
  let api = await startApi(all)
  return {
    url: api.url,
    exitCode: () => api.exitCode(),
    start: async () => {
      api = await startApi(all)
    },
    killApi: () => api.end('SIGKILL'),
    killPostgres: () => signalTree(readPostmasterPid(folder), 'SIGKILL'),
    openDatabase: () => {
      const address = findEmbeddedAddress(folder)
      if (address === null) throw new Error('no database runs')
      return connect(address, { poolMax: 2, applicationName: 'papermoon-chaos' })
    },
    remove: async () => {
      await api.end('SIGTERM')
      if (dataDir === undefined) removeDataFolder(folder)
    },
  }
}

function readPostmasterPid(folder: string): number {
  return Number(readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
}
