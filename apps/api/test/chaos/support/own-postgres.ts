import { connect, type DatabaseClient, type EmbeddedPostgres, startEmbedded } from '@papermoon/db'
import { makeDataFolder, removeDataFolder } from './data-folder.ts'
import { signalTree } from './process-tree.ts'

/** A PostgreSQL that nobody but the test starts again: to the server under test it is somebody else's. */
export interface OwnPostgres {
  /** The `DATABASE_URL`; the same after each start. */
  readonly url: string
  /** `kill -9` with all its backends; it stays away. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops all its processes where they are, as a machine does that hangs: it is there and says nothing. */
  freeze(): void
  thaw(): void
  openDatabase(): DatabaseClient
  remove(): Promise<void>
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = makeDataFolder()
  let postgres: EmbeddedPostgres | null = await startEmbedded({ dataDir })
  const { address } = postgres
  const pid = () => {
    if (postgres === null) throw new Error('it does not run')
    return postgres.pid()
  }
  return {
    url: toUrl(address),
    kill: async () => {
      signalTree(pid(), 'SIGKILL')
      // Told at once that this is wanted, its keeper does not start it again.
      await postgres?.stop()
      postgres = null
    },
    start: async () => {
      postgres = await startEmbedded({ dataDir })
    },
    freeze: () => signalTree(pid(), 'SIGSTOP'),
    thaw: () => signalTree(pid(), 'SIGCONT'),
    openDatabase: () => connect(address, { poolMax: 2, applicationName: 'papermoon-proof' }),
    remove: async () => {
      await postgres?.stop()
      removeDataFolder(dataDir)
    },
  }
}

function toUrl({ host, port, user, password, database }: EmbeddedPostgres['address']): string {
  const place = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${place}`
}
