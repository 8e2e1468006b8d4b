import { connect, type DatabaseClient, type EmbeddedPostgres, startEmbedded } from '@papermoon/db'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { signalTree } from './process-tree.ts'

/** An external PostgreSQL for the server under test, which only the test restarts. */
export interface OwnPostgres {
  /** The `DATABASE_URL`; stays the same across starts. */
  readonly url: string
  /** SIGKILLs PostgreSQL and its backends; it stays down until `start`. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops all its processes with SIGSTOP: connections stay open and get no answer, like those of a hanging machine. */
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
      // Stop the keeper too, before it restarts PostgreSQL.
      await postgres?.stop()
      postgres = null
    },
    start: async () => {
      postgres = await startEmbedded({ dataDir })
    },
    freeze: () => signalTree(pid(), 'SIGSTOP'),
    thaw: () => signalTree(pid(), 'SIGCONT'),
    openDatabase: () => connect(address, { poolMax: 2, applicationName: 'papermoon-chaos' }),
    remove: async () => {
      await postgres?.stop()
      removeDataFolder(dataDir)
    },
  }
}

export function toUrl({ host, port, user, password, database }: EmbeddedPostgres['address']): string {
  const place = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${place}`
}
