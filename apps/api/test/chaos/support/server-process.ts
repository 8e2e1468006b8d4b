import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatabaseClient, findEmbeddedAddress } from '@papermoon/db'
import { startApi } from './api-process.ts'
import { makeDataFolder, removeDataFolder } from './data-folder.ts'
import { signalTree } from './process-tree.ts'

/** The real server in a process of its own, on data of its own, as `npm start` runs it; and the ways to end it badly. */
export interface ServerProcess {
  /** The same after each start. */
  readonly url: string
  /** The API's exit code, or null while it runs. */
  exitCode(): number | null
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

/** `dataDir`: an empty folder that somebody else removes; one of its own unless told. */
export async function startServerProcess(dataDir?: string): Promise<ServerProcess> {
  const folder = dataDir ?? makeDataFolder()
  let api = await startApi({ DATA_DIR: folder })
  const { url, port } = api
  return {
    url,
    exitCode: () => api.exitCode(),
    start: async () => {
      api = await startApi({ DATA_DIR: folder, PORT: String(port) })
    },
    killApi: () => api.end('SIGKILL'),
    killPostgres: () => signalTree(postmasterOf(folder), 'SIGKILL'),
    openDatabase: () => {
      const address = findEmbeddedAddress(folder)
      if (address === null) throw new Error('no database runs')
      return connect(address, { poolMax: 2, applicationName: 'papermoon-proof' })
    },
    remove: async () => {
      await api.end('SIGTERM')
      if (dataDir === undefined) removeDataFolder(folder)
    },
  }
}

function postmasterOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
}
